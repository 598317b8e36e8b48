// -o xml as the service would answer.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

it('writes periods in the order that the service gives them in XML, which is not that of their fields', async () => {
  const out = await pm('periods list --limit 1 -o xml').prints('<ArrayOfPeriod ');
  expect([...out.matchAll(/^ {4}<(\w+)/gm)].map(([, name]) => name)).toEqual(contract.period.xmlOrder);
});
