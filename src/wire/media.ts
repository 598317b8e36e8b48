// The four media types (D24): negotiates that of an answer, and reads that of a body.
import { ServiceError } from '../contract/errors.ts';

export const MEDIA_TYPES = ['application/json', 'text/json', 'application/xml', 'text/xml'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
export type Syntax = 'json' | 'xml';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PARAMETER = /^([^\s=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/;
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
export const SERVED = `${MEDIA_TYPES.slice(0, -1).join(', ')} and ${MEDIA_TYPES.at(-1)}`;

export const syntaxOf = (media: MediaType): Syntax => (media.endsWith('xml') ? 'xml' : 'json');

/** Whole texts: one that is put together for each answer is slower to write. */
const CONTENT_TYPES: Readonly<Record<MediaType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'text/json': 'text/json; charset=utf-8',
  'application/xml': 'application/xml; charset=utf-8',
  'text/xml': 'text/xml; charset=utf-8',
};

export const contentTypeOf = (media: MediaType): string => CONTENT_TYPES[media];

/** The media type of the answer by the request's Accept (D24). Throws `not_acceptable`. */
export function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept.trim() === '') return MEDIA_TYPES[0];
  const known = negotiated.get(accept);
  if (known) return known;
  const media = bestMedia(accept);
  if (negotiated.size < MAX_NEGOTIATED) negotiated.set(accept, media);
  return media;
}

/** Accept headers repeat. */
const negotiated = new Map<string, MediaType>();
const MAX_NEGOTIATED = 100;

function bestMedia(accept: string): MediaType {
  const ranges = split(accept, ',').flatMap(rangeOf);
  let found: MediaType | undefined;
  let most = 0;
  for (const media of MEDIA_TYPES) {
    const quality = qualityOf(media, ranges);
    if (quality > most) [found, most] = [media, quality];
  }
  if (found) return found;
  throw new ServiceError('not_acceptable', `nothing that "${shorten(accept)}" accepts is served; served are ${SERVED}`);
}

/**
 * The media type of a body by its Content-Type. Throws `media_type`, also for a charset that is not UTF-8, and for a body that
 * is packed by its Content-Encoding.
 */
export function bodyMedia(contentType: string | undefined, coding = 'identity'): MediaType {
  if (!/^identity$/i.test(coding))
    throw new ServiceError('media_type', `a compressed body ("${shorten(coding)}") is not read; send it uncompressed`);
  const header = contentType === undefined ? undefined : headerOf(contentType);
  const media = MEDIA_TYPES.find((one) => one === header?.type);
  if (!header || !media) {
    const given = contentType === undefined ? 'the body has no Content-Type' : `"${shorten(contentType)}" is not read`;
    throw new ServiceError('media_type', `${given}; bodies are read as ${SERVED}`);
  }
  const charset = header.parameters.get('charset') ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return media;
  throw new ServiceError('media_type', `the charset "${shorten(charset)}" is not read; bodies are read as UTF-8`);
}

/** The syntax of any server's Content-Type; undefined for neither JSON nor XML. */
export function answerSyntax(contentType: string | undefined): Syntax | undefined {
  const [, syntax] = /[/+](json|xml)$/.exec(headerOf(contentType ?? '')?.type ?? '') ?? [];
  return syntax as Syntax | undefined;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** One range of an Accept; a malformed one accepts nothing. */
function rangeOf(text: string): readonly Range[] {
  const header = headerOf(text);
  if (!header) return [];
  const q = header.parameters.get('q') ?? '1';
  const charset = header.parameters.get('charset');
  if (!QUALITY.test(q) || (charset !== undefined && !/^utf-?8$/i.test(charset))) return [];
  return [{ type: header.type, quality: Number(q) }];
}

/** The most specific range decides: the type, then `text/*`, then a star for all types. */
function qualityOf(media: MediaType, ranges: readonly Range[]): number {
  for (const type of [media, `${media.split('/')[0]}/*`, '*/*']) {
    const fitting = ranges.filter((range) => range.type === type);
    if (fitting.length > 0) return Math.max(...fitting.map((range) => range.quality));
  }
  return 0;
}

/** The type is `application/json`, in lower case. Undefined for a malformed text. */
function headerOf(text: string) {
  const [type = '', ...rest] = split(text, ';');
  const halves = type.trim().toLowerCase().split('/');
  if (halves.length !== 2 || !halves.every((half) => TOKEN.test(half))) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    if (part.trim() === '') continue;
    const [, name, quoted, plain] = PARAMETER.exec(part.trim()) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return { type: halves.join('/'), parameters };
}

function split(text: string, sign: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (quoted && text[i] === '\\') i++;
    else if (text[i] === '"') quoted = !quoted;
    else if (!quoted && text[i] === sign) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const shorten = (text: string): string =>
  (text.length > 80 ? `${text.slice(0, 80)}…` : text).replace(/[^\x20-\x7e…]/g, '?');
