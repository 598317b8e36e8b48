// Takes secrets out of texts that people or files get to see: traces, and what a server says of a failure.
import type { Credential } from '../contract/call.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** Shorter ones would be found everywhere. */
const LEAST = 4;
// Names are bounded, and a tag ends before the next one begins: a server's long answer is not searched from every sign of it.
const JSON_MEMBER = /("[^"]{0,99}(?:password|token|secret)[^"]{0,99}"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
const XML_MEMBER =
  /(<((?:[\w.-]{1,99}:)?[\w.-]{0,99}(?:password|token|secret)[\w.-]{0,99})(?![\w.-])[^<>]*>)[^<]*(<\/\2>)/gi;

/** Hides these secrets, however they are spelled, and every member that is called like one. */
export function redactor(credentials: readonly Credential[], more: readonly string[] = []): Redact {
  const secrets = [...credentials.flatMap(({ password }) => [password, tokenIn(password)]), ...more];
  const pairs = credentials.map(({ login, password }) => base64(`${login}:${password}`));
  const spellings = [...pairs, ...secrets.filter((one) => one.length >= LEAST).flatMap(spellingsOf)];
  // The longest first, or the rest of one would stay behind another.
  const wanted = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const spelling of wanted) clean = clean.replaceAll(spelling, HIDDEN);
    return clean.replace(JSON_MEMBER, `$1"${HIDDEN}"`).replace(XML_MEMBER, `$1${HIDDEN}$3`);
  };
}

/** A token behind its prefix, which may be told without it. */
const tokenIn = (password: string): string => /^\{\w+Token\}(.+)$/.exec(password)?.[1] ?? '';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** As texts carry it, and as JSON carries such a text. */
function spellingsOf(secret: string): readonly string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const plain = [
    ...[secret, base64(secret), base64(secret).replace(/=+$/, ''), Buffer.from(secret).toString('base64url')],
    ...[encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+'), escaped(secret)],
    ...[xml, xml.replaceAll('"', '&quot;'), xml.replaceAll("'", '&apos;')],
  ];
  return [...plain, ...plain.map(escaped)];
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
