// Every ordinary operation, by every kind of caller, on records in every state, against the oracle.
import { beforeAll, describe, expect, it } from 'vitest';
import { adviceOf } from '../../src/cli/output/next.ts';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/resource.ts';
import { newEngine } from '../support/engine.ts';
import { CALLERS, expected, type Matrix, newMatrix, type RightsCase, rightsCases, STATES } from '../support/matrix.ts';
import { siteOn, TODAY } from '../support/site.ts';

class TakenBack extends Error {}

let matrix: Matrix;
beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  matrix = await newMatrix(await siteOn(engine));
  return () => engine.end();
}, 60_000);

const NOT_OF_RIGHTS = [
  'forbidden',
  'admin_only',
  'global_admin_only',
  'feature_off',
  'not_found',
  'deleted',
  'internal',
];

/** Asks and takes everything back. Answers what was refused and why, or that nothing was. */
async function outcome(
  session: Session,
  { operation, input }: RightsCase,
  row: Row | undefined,
  body: Row | undefined,
) {
  const ask = async (inside: Session): Promise<void> => {
    if (!operation.writes && operation.many) {
      const rows = inside.list(operation, input(row, undefined))[Symbol.asyncIterator]();
      await rows.next();
      await rows.return?.();
    } else await inside.call(operation, input(row, operation.writes ? body : undefined));
  };
  try {
    if (!operation.writes) return await ask(session).then(() => ({ code: 'passes', words: '' }));
    await session.local?.transaction(async (inside) => {
      await ask(inside);
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof ServiceError)
      return { code: error.code, words: `${error.message}\n${adviceOf(error, { shell: 'posix' })}` };
    if (!(error instanceof TakenBack)) throw error;
  }
  return { code: 'passes', words: '' };
}

const bodyFor = ({ operation }: RightsCase, row: Row | undefined): Row | undefined =>
  operation.verb === 'update'
    ? row
    : operation.verb === 'create'
      ? matrix.record(operation.resource, 'own')
      : undefined;

it('is about most of the contract', () => {
  expect(new Set(rightsCases.map(({ operation }) => operation)).size).toBeGreaterThan(100);
});

describe.each(CALLERS)('a caller with %s', (name) => {
  it.each(STATES)('and records that are: %s', async (state) => {
    const seen: unknown[] = [];
    const wanted: unknown[] = [];
    for (const asking of rightsCases) {
      if (asking.about === 'nothing' && (state !== 'own' || asking.operation.verb === 'create')) continue;
      const row = asking.about === 'nothing' ? undefined : matrix.record(asking.resource, state);
      if (!row && asking.about !== 'nothing') continue;
      if (name === 'other site' && typeof row?.ID === 'number') continue;
      const want = expected(matrix, asking, name, state, row);
      const { code, words } = await outcome(matrix.callers[name].session, asking, row, bodyFor(asking, row));
      const what = `${asking.operation.resource} ${asking.operation.name} ${asking.route}`;
      wanted.push([what, want]);
      seen.push([
        what,
        want === 'passes' && !NOT_OF_RIGHTS.includes(code) ? 'passes' : code,
        ...(code === want || want === 'passes' ? [] : [words]),
      ]);
    }
    expect(seen).toEqual(wanted);
  });
});

describe.each(CALLERS.filter((name) => name !== 'other site'))('for a caller with %s', (name) => {
  it('a record of another site is as if it were nowhere, to the byte', async () => {
    for (const asking of rightsCases.filter(({ about }) => about !== 'nothing')) {
      const [there, nowhere] = [
        matrix.record(asking.resource, 'other site'),
        matrix.record(asking.resource, 'missing'),
      ];
      if (!there || !nowhere || typeof there.ID === 'number') continue;
      const { session } = matrix.callers[name];
      const answers = [
        await outcome(session, asking, there, bodyFor(asking, there)),
        await outcome(session, asking, nowhere, bodyFor(asking, { ...there, ID: nowhere.ID ?? null })),
      ];
      const [one = '', other] = answers.map((answer) => JSON.stringify(answer));
      expect(one.replaceAll(String(there.ID), String(nowhere.ID))).toBe(other);
    }
  });
});
