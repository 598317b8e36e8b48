// Memberships: each individual has one primary one, which its record shows too (D14).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { adminOnly, isAdministrator } from '../access.ts';
import { takePrimary } from '../primary.ts';
import { chainUp, loop } from './above.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';
import { fillSite } from './site-own.ts';

export const membershipRules: Rules = {
  fill: fillSite,
  prepare: guardOwn,
  async check(writing): Promise<readonly Fault[]> {
    return member(writing, 'Primary') === true
      ? [...staysPrimary(writing), ...(await reportingLoop(writing))]
      : released(writing);
  },
  async follow({ change, values, before }) {
    const row = await change.store.get('organizationMember', change.site, String(before?.ID ?? values.ID));
    if (row?.Primary === true) await takePrimary(change, row);
  },
  async deleting(_change, row) {
    if (row.Primary !== true) return;
    throw new ServiceError('conflict', `the membership ${String(row.ID)} is the primary one of its individual`, {
      hint: 'Make another membership primary first: pm department-members update <id> --primary true',
    });
  },
};

/** What a primary membership says shows on its individual's record, where only administrators change one's own. */
function guardOwn(writing: Writing): void {
  const isOwn = member(writing, 'IndividualID') === writing.change.caller.id;
  if (!isOwn || member(writing, 'Primary') !== true || isAdministrator(writing.change)) return;
  const changed = ['Primary', 'OrganizationID', 'Title', 'ReportsToID'].filter((name) => changes(writing, name));
  if (changed.length > 0) throw adminOnly(`changing ${changed.join(', ')} of one's own primary membership`);
}

/** A primary membership has a title and somebody to report to, as the individual's record demands. */
function staysPrimary(writing: Writing): readonly Fault[] {
  return ['Title', 'ReportsToID']
    .filter((name) => writing.values[name] === null)
    .map((field) => ({
      field,
      code: 'required',
      message: 'is required for the primary membership',
    }));
}

/** Primary is given up only to another membership. */
function released({ before }: Writing): readonly Fault[] {
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
  const chain = await chainUp(writing.change, 'individual', 'PrimaryReportsTo', boss, individual);
  const start = await writing.change.lookup('individual', individual);
  return chain && start ? [loop('ReportsToID', [start, ...chain])] : [];
}
