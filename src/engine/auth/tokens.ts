// Tokens are random, shown once, and stored only as a hash (D21).
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { resourceNamed } from '../../contract/index.ts';
import { type Writing, writeDate } from '../context.ts';
import { log } from '../records/history.ts';
import type { Reader, StoredToken, TokenKind } from '../store/port.ts';

const HOUR = 3_600_000;
const SESSION_IDLE = 12 * HOUR;
const SESSION_MAX = 30 * 24 * HOUR;

/** Creates a token, of the site where `individual` is null. History records the creation without the token. */
export async function issue(writing: Writing, kind: TokenKind, individual: string | null) {
  const token = randomUUID();
  const row: StoredToken = {
    // IDs have one length, so that none is a prefix of another, and are no part of the token.
    ID: randomBytes(6).toString('hex'),
    Kind: kind,
    IndividualID: individual,
    Created: writing.now,
    LastUsed: null,
    Expires: expiryOf(kind, writing.now, writing.now),
  };
  await writing.store.insertToken(writing.site, row, hashOf(token));
  await log(writing, resourceNamed('token'), row, 'create', undefined);
  return { token, row };
}

export async function revoke(writing: Writing, row: StoredToken): Promise<void> {
  await writing.store.deleteToken(writing.site, row.ID);
  await log(writing, resourceNamed('token'), row, 'delete', row);
}

/** The token of that kind; undefined if there is none or it has expired. */
export async function goodToken(
  store: Reader,
  site: string,
  { kind, token }: { readonly kind: TokenKind; readonly token: string },
  now: string,
): Promise<StoredToken | undefined> {
  const row = await store.token(site, hashOf(token));
  return row?.Kind === kind && isGood(row, now) ? row : undefined;
}

/** Dates of the engine sort as text. */
export const isGood = ({ Expires }: StoredToken, now: string): boolean => Expires === null || now < Expires;

/** When a token expires that was used now: a session after some hours, others never. */
export function expiryOf(kind: TokenKind, created: string, used: string): string | null {
  if (kind !== 'session') return null;
  return writeDate(new Date(Math.min(Date.parse(used) + SESSION_IDLE, Date.parse(created) + SESSION_MAX)));
}

/** A random token needs no salt and no slow hash. */
const hashOf = (token: string): string => createHash('sha256').update(token.toLowerCase()).digest('base64url');
