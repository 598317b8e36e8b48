// pm api: one request as it is written, to any path of the service.
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Request, Response } from '../../client/connection.ts';
import { endpointOf } from '../../client/endpoint.ts';
import { redactor, safeHeaders } from '../../client/redact.ts';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import { parsedJson } from '../../files/checked.ts';
import type { Syntax } from '../../wire/media.ts';
import { confirmRequest, describeTarget } from '../changes/confirm.ts';
import { collectValues, type Run, reading } from '../command.ts';
import { type Context, checkProfileNamed } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { readBytes } from '../input/files.ts';
import { print, printBytes } from '../output/printing.ts';
import { shapeFrom } from '../output/result.ts';
import { credentialFor } from '../profiles/profiles.ts';
import { choosesRecords } from '../settings.ts';

/** --input names a file and --header a line; --no-input and --no-header are flags of their own: they share a key. */
interface Options extends Omit<GlobalValues, 'input' | 'header'> {
  readonly input?: string | boolean;
  readonly field?: readonly string[];
  readonly header?: readonly string[] | boolean;
  readonly include?: boolean;
}

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const READING = ['GET', 'HEAD', 'OPTIONS'];
const REPEATABLE = [...READING, 'PUT', 'DELETE'];

const DELETION = {
  question: 'Send the DELETE?',
  needed: 'a DELETE needs a confirmation',
  refused: 'nothing was sent',
};

export function build(run: Run): Command {
  return reading('api', 'Send one request of your own, with your credential.')
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'as in /me or /v4/me')
    .option('-F, --field <name=value>', 'a member of a JSON body, or of the query of a GET', collectValues)
    .option('--input <file>', 'the body, from a file; - reads stdin')
    .option('-H, --header <name: value>', 'a header', collectHeaders)
    .option('-i, --include', 'print the status and the headers too')
    .action((method: string, path: string, options: Options) =>
      run({ ...options, input: options.input !== false, header: options.header !== false }, (context) =>
        api(context, method.toUpperCase(), path, options),
      ),
    );
}

/** --no-header makes true of an option that was not given. */
const collectHeaders = (value: string, before: readonly string[] | boolean): readonly string[] =>
  collectValues(value, Array.isArray(before) ? before : []);

async function api(context: Context, method: string, path: string, options: Options): Promise<number> {
  checkProfileNamed(context);
  checkFlags(context, method);
  const target = await targetOf(context);
  const request = await requestFor(context, target, method, path, options);
  if (!READING.includes(method)) {
    context.note(`▲ ${describeTarget(context)} as ${target.login} – ${method} ${request.path}`);
    if (context.settings.dryRun) return 0;
    if (method === 'DELETE') await confirmRequest(context, DELETION);
  }
  const whole = await target.send(request);
  const isDone = whole.status >= 200 && whole.status < 300;
  if (isDone && context.settings.jmespath !== undefined) return printQuery(context, whole);
  show(context, request, whole, options.include === true);
  if (isDone) return 0;
  throw await target.refusal(request, whole);
}

/** Prints the value of --jmespath for an answer in JSON. Throws `usage` for another one. */
async function printQuery(context: Context, { headers, bytes }: Response): Promise<number> {
  const value = parsedJson(new TextDecoder().decode(bytes));
  if (value === undefined)
    throw new ServiceError('usage', `--jmespath reads JSON, and the answer is ${headers['content-type'] ?? 'none'}`, {
      hint: 'Leave --wire and the header Accept out, or --jmespath.',
    });
  const rows = Array.isArray(value) ? value : [value];
  return context.print({ shape: shapeFrom('Answer', {}), rows, one: !Array.isArray(value) });
}

/** Throws `usage` for flags that choose or format: without --jmespath the answer is printed unchanged. */
function checkFlags({ settings }: Context, method: string): void {
  if (!METHODS.includes(method)) {
    throw new ServiceError('usage', `${method} is not a method that pm sends`, {
      hint: `Methods are ${METHODS.join(', ')}.`,
    });
  }
  const { output, deleted, site, jmespath } = settings;
  const isShaped = choosesRecords({ ...settings, jmespath: undefined }) || (output !== undefined && !jmespath);
  if (!isShaped && [deleted, site].every((one) => one === undefined)) return;
  throw new ServiceError('usage', 'pm api prints the answer as it is', {
    hint: 'It takes no --fields, --where, --sort, --limit, --deleted and --site, and -o only with --jmespath.',
  });
}

async function requestFor(
  context: Context,
  { syntax, credential, ...place }: Target,
  method: string,
  path: string,
  options: Options,
): Promise<Request> {
  const fields = (options.field ?? []).map(fieldIn);
  const inQuery = READING.includes(method);
  const file = typeof options.input === 'string' ? options.input : undefined;
  const body = await bodyOf(context, inQuery ? [] : fields, file);
  return {
    method,
    path: pathOf(place, path, inQuery ? fields : []),
    absolute: true,
    headers: {
      accept: `application/${syntax}`,
      ...(body === undefined ? {} : { 'content-type': `application/${file === undefined ? 'json' : syntax}` }),
      ...headersIn(Array.isArray(options.header) ? options.header : []),
    },
    body,
    credential,
    repeatable: REPEATABLE.includes(method),
  };
}

function pathOf(
  { origin, base }: Pick<Target, 'origin' | 'base'>,
  path: string,
  query: readonly (readonly [string, unknown])[],
): string {
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const [bare = ''] = rooted.split('?');
  if (/^\/\/|:\/\/|[\\#\s]|[^\x20-\x7e]/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(bare)) {
    throw new ServiceError('usage', `"${path}" is not a path of the service`, {
      hint: 'Write it as in /me or /individuals?deleted=1, with other characters percent-coded.',
    });
  }
  const whole = bare === base || bare.startsWith(`${base}/`) ? rooted : `${base}${rooted}`;
  const url = new URL(`${origin}${whole}`);
  for (const [name, value] of query) url.searchParams.append(name, String(value));
  return `${url.pathname}${url.search}`;
}

/** `true`, `false`, `null` and plain whole numbers are typed; the rest is text. */
function fieldIn(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new ServiceError('usage', `-F ${text} has no value`, { hint: 'Write -F name=value.' });
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (/password|secret|token/i.test(name)) {
    throw new ServiceError('usage', `-F ${name}: a secret is never written on the command line`, {
      hint: 'Put the body into a file, or on stdin: --input -',
    });
  }
  const isTyped = /^(true|false|null|0|-?[1-9]\d{0,14})$/.test(value);
  return [name, isTyped ? JSON.parse(value) : value];
}

async function bodyOf(
  context: Context,
  fields: readonly (readonly [string, unknown])[],
  file: string | undefined,
): Promise<Uint8Array | string | undefined> {
  if (fields.length > 0 && file !== undefined)
    throw new ServiceError('usage', 'a body comes from -F or from --input, not from both');
  if (fields.length > 0) return JSON.stringify(Object.fromEntries(fields));
  if (file === undefined) return undefined;
  if (file === '-') return buffer(context.io.stdin);
  return readBytes(context, '--input', file);
}

/** Headers that the client sets, or that are secret. */
const OWN = /^(authorization|proxy-.*|cookie|host|connection|content-length|transfer-encoding|expect|upgrade|te)$/i;

function headersIn(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((line) => {
      const [, name = '', value = ''] =
        /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\x21-\x7e][\x20-\x7e]*)?)$/.exec(line) ?? [];
      if (name === '' || OWN.test(name)) {
        const why = name === '' ? 'a header is not "name: value"' : `the header ${name} is not set by hand`;
        const hint = "Write -H 'Accept: text/xml'. Who calls is said by pm login and --as.";
        throw new ServiceError('usage', why, { hint });
      }
      return [name.toLowerCase(), value];
    }),
  );
}

function show({ io }: Context, request: Request, { status, headers, bytes }: Response, include: boolean): void {
  if (include) {
    const safe = Object.entries(safeHeaders(headers, redactor(request.credential ? [request.credential] : [])));
    const lines = [`HTTP ${status}`, ...safe.map(([name, value]) => `${name}: ${value}`), ''];
    print(io, lines);
  }
  printBytes(io, bytes, /json|xml|^text\//i.test(headers['content-type'] ?? ''));
}

interface Target extends Pick<Request, 'credential'> {
  /** Whom the request is sent as. */
  readonly login: string;
  readonly origin: string;
  /** The path of the interface. */
  readonly base: string;
  readonly syntax: Syntax;
  send(request: Request): Promise<Response>;
  /** The error for an answer that is no success. */
  refusal(request: Request, response: Response): Promise<ServiceError>;
}

const targetOf = (context: Context): Promise<Target> =>
  context.settings.remote ? serviceTarget(context) : engineTarget(context);

async function serviceTarget({ settings, io, client }: Context): Promise<Target> {
  const { remote } = settings;
  const opened = await client();
  if (!remote) throw new Error('a client without a remote profile');
  const credential = credentialFor(remote, settings.as, io);
  return {
    ...endpointOf(remote.url, remote.allowHttp),
    credential,
    login: credential.login,
    syntax: settings.wire ?? remote.wire ?? 'json',
    send: opened.raw,
    refusal: async (request, response) => opened.refusal(request, response),
  };
}

async function engineTarget(context: Context): Promise<Target> {
  const session = await context.session();
  const { answerOnce } = await import('../../server/index.ts');
  return {
    login: session.me.userName,
    origin: 'http://localhost',
    base: '/v4',
    syntax: context.settings.wire ?? 'json',
    send: (request) => answerOnce(session, request, { clock: () => context.io.now(), log: () => undefined }),
    async refusal({ method, path }, { status, headers, bytes }) {
      const { readProblem } = await import('../../wire/problem.ts');
      const { code = 'invalid', detail, faults } = readProblem(status, headers['content-type'], bytes);
      return new ServiceError(code, detail || `${ERRORS[code].title}: ${method} ${path}`, { faults });
    },
  };
}
