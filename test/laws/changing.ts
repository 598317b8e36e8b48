// Changes of every operation of the contract, for one record or for many, on a site that has what they need.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Change, changeBy } from '../../src/changes/plan/change.ts';
import type { Session } from '../../src/contract/call.ts';
import { resources } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Resource, Row } from '../../src/contract/resource.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { aRecord, inputFor, one } from './asking.ts';
import { changeable, sampleBody, sampleValue } from './sample.ts';

/** A site has one of them. */
export const ALONE = ['site', 'siteSetting'];

const ordinary = (verbs: readonly string[]) =>
  resources.flatMap((resource) =>
    Object.values(resource.operations)
      .filter(({ verb, writes }) => writes && verbs.includes(verb))
      .map((operation) => [`${resource.command} ${operation.name}`, resource, operation] as const),
  );
/** The operations that are recorded, with their names. */
export const RECORDED = ordinary(['create', 'update', 'delete', 'undelete', 'special']);

/** Where a session keeps its jobs. */
export async function jobsOf(session: Session) {
  if (session.local) return session.local.jobs;
  const folder = mkdtempSync(join(tmpdir(), 'pm-journal-'));
  const journal = await openJournal(join(folder, 'journal.db'));
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  return journal;
}

/**
 * What there must be, before the operation can be tried so often: the changes, and the records that they are about. What is
 * unique is told apart by numbers from `from` on.
 */
export async function prepared(
  session: Session,
  resource: Resource,
  operation: Operation,
  { count, from = 0 }: { readonly count: number; readonly from?: number },
) {
  const isNew = operation.verb === 'create' || operation.many;
  const records: Row[] = [];
  const changes: Change[] = [];
  const sample = await sampleBody(session, resource);
  // To keep a password takes its time.
  const body = count === 1 ? sample : withoutSecrets(resource, sample);
  for (let at = 0; at < count; at++) {
    // What is told apart by its two ends needs others each time.
    const ends = resource.identity.length > 0 && at > 0 ? await sampleBody(session, resource) : {};
    const own = { ...body, ...ends, ...distinct(resource, from + at) };
    if (isNew) {
      changes.push(changeBy(operation, { by: 'plain', body: own }));
      continue;
    }
    const { create } = resource.operations;
    const isMade = count > 1 && create?.verb === 'create';
    const record = isMade ? await session.call(create, { body: own }) : await aRecord(session, resource);
    if (operation.verb === 'undelete') await one(session, resource, 'delete', record);
    records.push(record);
    changes.push(changeOf(session, resource, operation, record));
  }
  return { records, changes };
}

const withoutSecrets = ({ fields }: Resource, body: Row): Row =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields[name]?.writeOnly));

/** Values that no two records share. */
const distinct = ({ fields }: Resource, at: number): Row =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => fields[name]?.unique)
      .map((name) => [name, `one${at}`]),
  );

function changeOf(session: Session, resource: Resource, operation: Operation, record: Row): Change {
  const { takes, verb } = operation;
  const input = inputFor(resource, operation, record, session.me.site);
  const changed = Object.fromEntries(changeable(resource).map((name) => [name, sampleValue(resource, name, 1)]));
  if (!('ID' in resource.fields)) return changeBy(operation, { ...input, body: { ...record, ...changed } });
  const patch =
    takes === undefined && (verb === 'update' || verb === 'special') ? { patch: { ID: record.ID, ...changed } } : {};
  return changeBy(operation, input, { id: String(record.ID), ...patch, place: record });
}
