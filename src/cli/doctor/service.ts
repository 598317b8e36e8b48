// The doctor's checks of a remote service. They only read.
import type { Request, Response } from '../../client/connection.ts';
import { endpointOf } from '../../client/endpoint.ts';
import type { Client } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { credentialFor, knownFor, type Remote } from '../profiles/profiles.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

const MAX_CLOCK_SECONDS = 60;

export async function checkService(context: Context, remote: Remote): Promise<readonly Finding[]> {
  const { io, settings } = context;
  const findings: Finding[] = [];
  try {
    const { origin, secure } = endpointOf(remote.url, remote.allowHttp);
    const plain = 'Without TLS everybody on the way reads along; is that only this machine?';
    findings.push(secure ? ok('address', origin) : bad('address', 'warning', origin, plain));
    findings.push(ok('user', `${knownFor(remote, io).user ?? 'nobody'}, by ${knownFor(remote, io).by}`));
    const credential = credentialFor(remote, settings.as, io);
    const headers = { accept: 'application/json' };
    const request: Request = { method: 'GET', path: '/me', headers, credential, repeatable: true };
    const client = await context.client();
    return [...findings, ...answerFindings(context, client, request, await client.raw(request), secure)];
  } catch (error) {
    return [...findings, faultOf('service', error, io.env)];
  }
}

function answerFindings(
  context: Context,
  client: Client,
  request: Request,
  whole: Response,
  secure: boolean,
): readonly Finding[] {
  const connection = secure ? [ok('tls', 'the certificate is trusted')] : [];
  if (whole.status !== 200) return [...connection, faultOf('service', client.refusal(request, whole), context.io.env)];
  const type = whole.headers['content-type'] ?? 'nothing';
  const isSpoken = /[/+](json|xml)\b/.test(type);
  const spelled = isSpoken
    ? ok('service', `answers, and in ${type}`)
    : bad(
        'service',
        'fault',
        `answers in ${type}`,
        `Is that the address of the service? pm profiles show ${context.settings.profile}`,
      );
  return [...connection, spelled, clockFinding(context, whole), ...(isSpoken ? [etagFinding(whole)] : [])];
}

/** Record dates and token expiry follow the clock of the service. */
function clockFinding({ io }: Context, { headers }: Response): Finding {
  const theirs = Date.parse(headers.date ?? '');
  if (Number.isNaN(theirs)) return bad('clock', 'unknown', 'the service does not tell the time', 'Nothing to do.');
  const seconds = Math.round(Math.abs(theirs - io.now().getTime()) / 1000);
  if (seconds <= MAX_CLOCK_SECONDS) return ok('clock', `${seconds} s apart`);
  return bad(
    'clock',
    'warning',
    `${seconds} s apart`,
    'Set the clock of this machine, or tell the operator of the service.',
  );
}

function etagFinding({ headers }: Response): Finding {
  if (headers.etag?.startsWith('"')) return ok('updates', 'are refused where the record has changed in between (ETag)');
  return bad(
    'updates',
    'warning',
    'two changes at once may overwrite each other: the service sends no ETag',
    'Do not change one record from two places at once.',
  );
}

/** The finding of the last trial; without one, that there was none. */
export function lastTrial({ name, probed, habits = [] }: Remote): Finding {
  const again = `pm doctor --probe -p ${name}`;
  if (probed === undefined) return bad('trial', 'unknown', 'nobody has tried yet how the service writes', again);
  return ok('trial', `of ${probed}: the service ${habits.length > 0 ? habits.join(', ') : 'has no habits of its own'}`);
}
