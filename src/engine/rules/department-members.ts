// Memberships in departments: each individual has one primary one, which its record shows too (D14).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { updatePrimaryMembers } from '../records/primary.ts';
import { checkRight } from '../rights/check.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import { decide } from '../rights/permissions.ts';
import { chainTo, loopFault } from './no-loops.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';
import { fillSite } from './sites.ts';

export const membershipRules: Rules = {
  fill: fillSite,
  prepare: checkPrimaryRights,
  async check(writing): Promise<readonly Fault[]> {
    return member(writing, 'Primary') === true
      ? [...requirePrimaryMembers(writing), ...(await reportingLoop(writing))]
      : refuseReleasedPrimary(writing);
  },
  async follow({ change, values, before }) {
    const row = await change.store.get('organizationMember', change.site, String(before?.ID ?? values.ID));
    if (row?.Primary === true) await updatePrimaryMembers(change, row);
  },
  async deleting(_change, row) {
    if (row.Primary !== true) return;
    throw new ServiceError('conflict', `the membership ${String(row.ID)} is the primary one of its individual`, {
      next: { do: 'make-primary' },
    });
  },
};

/**
 * A primary membership shows on its individual's record. Changing it needs the right to change that record, and for
 * the caller's own membership a right that a permission row gives (D14).
 */
async function checkPrimaryRights(writing: Writing): Promise<void> {
  const { change } = writing;
  if (member(writing, 'Primary') !== true || isAdministrator(change)) return;
  const changed = ['Primary', 'OrganizationID', 'Title', 'ReportsToID'].filter((name) => changes(writing, name));
  const individual = await change.lookup('individual', member(writing, 'IndividualID'));
  if (changed.length === 0 || !individual) return;
  const resource = resourceNamed('individual');
  await checkRight(change, 'update', resource, individual);
  if (individual.ID !== change.caller.id || (await decide(change, 'update', resource, individual)).by === 'row') return;
  throw adminOnly(`changing ${changed.join(', ')} of one's own primary membership`);
}

/** A primary membership needs a title and a manager, as the individual's record does. */
function requirePrimaryMembers(writing: Writing): readonly Fault[] {
  return ['Title', 'ReportsToID']
    .filter((name) => writing.values[name] === null)
    .map((field) => ({
      field,
      code: 'required',
      message: 'is required for the primary membership',
    }));
}

/** `Primary` ends only where another membership becomes primary. */
function refuseReleasedPrimary({ before }: Writing): readonly Fault[] {
  if (before?.Primary !== true) return [];
  return [
    {
      field: 'Primary',
      code: 'immutable',
      message: 'cannot be taken away; make another membership primary instead',
    },
  ];
}

async function reportingLoop(writing: Writing): Promise<readonly Fault[]> {
  const individual = String(member(writing, 'IndividualID'));
  const boss = member(writing, 'ReportsToID');
  if (boss === individual || boss === null) return [];
  const chain = await chainTo(writing.change, 'individual', 'PrimaryReportsTo', boss, individual);
  const start = await writing.change.lookup('individual', individual);
  return chain && start ? [await loopFault(writing.change, 'individual', 'ReportsToID', [start, ...chain])] : [];
}
