// Addresses and records that are meant to break a server: refused or kept, and the server is there afterwards. The suite sends
// each naughty string in one media type; the long run all of them in each.
import strings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import { MEDIA_TYPES } from '../../src/wire/media.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { isLong } from '../support/long.ts';
import { BEGIN, usingServer } from './served.ts';

const server = usingServer();
const naughty: readonly string[] = strings;
/** Those of them that the suite tries at this turn of four. */
const turn = <T>(all: readonly T[], at: number): readonly T[] =>
  all.filter((_, nth) => isLong || nth % MEDIA_TYPES.length === at);
/** The number of concurrent requests. */
const WIDTH = 8;

afterEach(async () => {
  expect((await server.asAda('GET', '/v4/me')).status).toBe(200);
  expect(server.lines.filter((line) => line.includes('"error"'))).toEqual([]);
});

/** Does the work for all of them, some at a time. */
async function forAll<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

describe('an address', () => {
  it('with a naughty string in it is never a failure of ours', async () => {
    const found: string[] = [];
    await forAll(turn(naughty, 0), async (text) => {
      const part = encodeURIComponent(text);
      for (const path of [`/v4/${part}`, `/v4/accountabilities/${part}`, `/v4/users?tz=${part}`, `/${part}`]) {
        const { status } = await server.asAda('GET', path);
        if (status >= 500) found.push(`${path}: ${status}`);
      }
    });
    expect(found).toEqual([]);
  });
});

describe.each(MEDIA_TYPES)('naughty strings in records, sent by a client in %s', (media) => {
  let engine: TestEngine;
  let session: Session;
  const { client } = usingClient(media, () => engine.backend);
  beforeAll(async () => {
    engine = await newEngine(BEGIN);
    session = await client().open(await credentialOn(engine.backend));
  });
  afterAll(() => engine.end());

  it('come back as they were sent, or are refused aloud', async () => {
    const { create, list } = contract.accountability.operations;
    const sent = new Set<string>();
    const refused: string[] = [];
    await forAll(turn(naughty, MEDIA_TYPES.indexOf(media)), async (Name) => {
      const body = { AncestorID: session.me.id, Rank: 1, Name, Description: Name };
      try {
        expect(await session.call(create, { body })).toMatchObject({ Name, Description: Name });
        sent.add(Name);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'invalid') throw error;
        refused.push(Name);
      }
    });
    expect(refused.length).toBeLessThan(40);
    const listed = new Set<unknown>();
    for await (const row of session.list(list, { by: 'mine' })) listed.add(row.Name);
    expect(listed).toEqual(sent);
  });
});
