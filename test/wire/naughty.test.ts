// The big list of naughty strings: each comes back as it was, or is refused aloud, in either syntax.
import strings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import { isRefusal, RULES } from '../../src/contract/kinds.ts';
import { readBody, readList, readRecord, writerOf } from '../../src/wire/codec.ts';
import { MEDIA_TYPES, syntaxOf } from '../../src/wire/media.ts';
import { buildPath, matchRoute } from '../../src/wire/route.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { bytesOf, gathered, inPieces } from './spelled.ts';

const naughty: readonly string[] = strings;
const fit = naughty.filter((text) => !isRefusal(RULES.text.check(text)));
const shape = bodyShape(resourceNamed('accountability'));

it('there are many naughty strings, and nearly all are fit to be texts', () => {
  expect(naughty.length).toBeGreaterThan(450);
  expect(naughty.length - fit.length).toBeLessThan(5);
});

describe.each(MEDIA_TYPES)('naughty strings in %s', (media) => {
  const writer = writerOf(media, shape);

  it('come back in a body and in a record', () => {
    for (const Name of fit) {
      const bytes = bytesOf(writer.one({ Name }));
      expect(readBody(media, shape, bytes)).toEqual({ Name });
      expect(readRecord(syntaxOf(media), shape, bytes)).toEqual({ Name });
    }
  });

  it('come back in a list that arrives byte by byte', async () => {
    const rows = fit.map((Name) => ({ Name }));
    const text = writer.opening + rows.map(writer.member).join(writer.between) + writer.closing;
    expect(await gathered(readList(syntaxOf(media), shape, inPieces(bytesOf(text), 1)))).toEqual(rows);
  });

  it('sent as they are, as bodies, are read or refused', () => {
    let refused = 0;
    for (const text of naughty) {
      try {
        readBody(media, shape, bytesOf(text));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(naughty.length - 10);
  });
});

it('naughty strings come back from an address, or are refused', () => {
  const { get } = resourceNamed('color').operations;
  let refused = 0;
  for (const id of naughty) {
    const input = { by: 'plain', params: { id }, query: { tz: id } };
    try {
      const { path, query } = buildPath(get as NonNullable<typeof get>, input);
      expect(matchRoute('GET', `${path}?${query}`)).toMatchObject({ kind: 'found', input });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused++;
    }
  }
  expect(refused).toBeLessThan(10);
});
