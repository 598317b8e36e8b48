// The doctor's checks of a remote service. The probe creates, updates and deletes a scratch core value.
import type { Request, Response } from '../../client/connection.ts';
import { endpointOf } from '../../client/endpoint.ts';
import type { Client } from '../../client/index.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { checkProfileNamed, confirmRequest, describeTarget } from '../changes/confirm.ts';
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
  const spelled = /[/+](json|xml)\b/.test(type)
    ? ok('service', `answers, and in ${type}`)
    : bad(
        'service',
        'fault',
        `answers in ${type}`,
        `Is that the address of the service? pm profiles show ${context.settings.profile}`,
      );
  return [...connection, spelled, clockFinding(context, whole), etagFinding(whole), ...notProbed()];
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
    'Set the clock of this machine, or tell whoever runs the service.',
  );
}

function etagFinding({ headers }: Response): Finding {
  if (headers.etag?.startsWith('"')) return ok('updates', 'are refused where the record has changed in between (ETag)');
  return bad(
    'updates',
    'warning',
    'two at once may undo each other: the service sends no ETag',
    'Avoid changing one record at once.',
  );
}

/** What only the probe finds out. */
const notProbed = (): readonly Finding[] => [
  bad('IDs', 'unknown', 'whether the service keeps the IDs of new records', 'pm doctor --probe tries it.'),
  bad('PUT', 'unknown', 'whether an update replaces the record', 'pm doctor --probe tries it.'),
];

const { create, update, delete: remove } = contract.coreValue.operations;

const TRIAL = {
  question: 'Write it?',
  needed: 'a trial writes to the service',
  flags: '--probe --yes',
  refused: 'nothing was written',
};

/** Throws `confirmation` where it is not confirmed; nothing was written then. */
export async function probe(context: Context): Promise<readonly Finding[]> {
  checkProfileNamed(context);
  context.note(`▲ ${describeTarget(context)} – a scratch core value is made, updated and deleted`);
  if (context.settings.dryRun) return [];
  await confirmRequest(context, TRIAL);
  const session = await context.session();
  const ID: string = crypto.randomUUID();
  const fresh = { ID, Rank: 0, Name: `pm doctor ${ID.slice(0, 8)}` };
  let made = ID;
  try {
    const row = await session.call(create, { body: { ...fresh, Description: 'A trial, deleted at once.' } });
    made = String(row.ID ?? ID);
    return [
      idFinding(made, ID),
      await updateFinding(session, { ...fresh, ID: made }),
      await deleteFinding(session, made),
    ];
  } catch (error) {
    return [faultOf('probe', error, context.io.env), ...(await leftoverFinding(session, made))];
  }
}

const idFinding = (made: string, sent: string): Finding =>
  made.toLowerCase() === sent
    ? ok('IDs', 'the service keeps the IDs of new records')
    : bad('IDs', 'warning', 'the service gives IDs of its own', 'After a broken create, look before you repeat it.');

async function updateFinding(session: Session, body: { ID: string; Rank: number; Name: string }): Promise<Finding> {
  const row = await session.call(update, { params: { id: body.ID }, body });
  if ((row.Description ?? null) === null) return ok('PUT', 'an update replaces the record');
  return bad('PUT', 'warning', 'an update keeps what is left out', 'To make a member empty, write --clear.');
}

async function deleteFinding(session: Session, id: string): Promise<Finding> {
  await session.call(remove, { params: { id } });
  return ok('DELETE', 'the scratch record is gone');
}

async function leftoverFinding(session: Session, id: string): Promise<readonly Finding[]> {
  try {
    await session.call(remove, { params: { id } });
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return [];
    return [bad('DELETE', 'fault', 'the scratch record may be left', `pm core-values delete ${id}`)];
  }
}
