// The doctor's trial: a scratch core value is made, updated and deleted, to learn how the service does it.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { checkNamed, targetWords } from '../changes/announce.ts';
import type { Context } from '../context.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

const { create, update, delete: remove } = contract.coreValue.operations;

/** Throws `confirmation` where it is not agreed; nothing was written then. */
export async function probe(context: Context): Promise<readonly Finding[]> {
  checkNamed(context);
  context.note(`▲ ${targetWords(context)} – a scratch core value is made, updated and deleted`);
  if (context.settings.dryRun) return [];
  await agree(context);
  const session = await context.session();
  const ID: string = crypto.randomUUID();
  const fresh = { ID, Rank: 0, Name: `pm doctor ${ID.slice(0, 8)}` };
  let made = ID;
  try {
    const row = await session.call(create, { body: { ...fresh, Description: 'A trial, deleted at once.' } });
    made = String(row.ID ?? ID);
    return [keeps(made, ID), await replaces(session, { ...fresh, ID: made }), await cleared(session, made)];
  } catch (error) {
    return [faultOf('probe', error, context.io.env), ...(await leftover(session, made))];
  }
}

async function agree({ settings }: Context): Promise<void> {
  if (settings.yes) return;
  if (!settings.asks)
    throw new ServiceError('confirmation', 'a trial writes to the service', { hint: 'To go on: --probe --yes' });
  const { askYes } = await import('../input/prompt.ts');
  if (!(await askYes('Write it?'))) throw new ServiceError('confirmation', 'not confirmed; nothing was written');
}

const keeps = (made: string, sent: string): Finding =>
  made.toLowerCase() === sent
    ? ok('IDs', 'the service keeps the IDs of new records')
    : bad('IDs', 'warning', 'the service gives IDs of its own', 'After a broken create, look before you repeat it.');

async function replaces(session: Session, body: { ID: string; Rank: number; Name: string }): Promise<Finding> {
  const row = await session.call(update, { params: { id: body.ID }, body });
  if ((row.Description ?? null) === null) return ok('PUT', 'an update replaces the record');
  return bad('PUT', 'warning', 'an update keeps what is left out', 'To make a member empty, write --clear.');
}

async function cleared(session: Session, id: string): Promise<Finding> {
  await session.call(remove, { params: { id } });
  return ok('DELETE', 'the scratch record is gone');
}

async function leftover(session: Session, id: string): Promise<readonly Finding[]> {
  try {
    await session.call(remove, { params: { id } });
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return [];
    return [bad('DELETE', 'fault', 'the scratch record may be left', `pm core-values delete ${id}`)];
  }
}
