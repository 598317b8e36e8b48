// What is read off the contract is worked out once for each of its values.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { ownersOf } from '../../src/contract/record-address.ts';
import { etagOf } from '../../src/contract/same-values.ts';
import { fieldNamed } from '../../src/contract/validate.ts';
import { oncePer } from '../../src/text/once-per.ts';

it('works an answer out once for each object, and keeps those of others apart', () => {
  const asked: string[] = [];
  const shout = oncePer(({ word }: { word: string }) => {
    asked.push(word);
    return `${word}!`;
  });
  const [one, other] = [{ word: 'one' }, { word: 'other' }];
  expect([shout(one), shout(other), shout(one), shout({ word: 'one' })]).toEqual(['one!', 'other!', 'one!', 'one!']);
  expect(asked).toEqual(['one', 'other', 'one']);
});

it('reads the fields of a resource once, however often its owners, its names and its ETag are asked for', () => {
  let reads = 0;
  const fields = new Proxy(contract.task.fields, {
    ownKeys: (target) => {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const task = { ...contract.task, fields };
  for (let at = 0; at < 5; at++) {
    expect(ownersOf(task).map(({ field }) => field)).toEqual(['AncestorID', 'ParentID']);
    expect(fieldNamed(fields, 'ancestorid')).toBe('AncestorID');
    etagOf(task, {});
  }
  expect(reads).toBe(3);
});
