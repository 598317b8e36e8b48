// What the matrix of ordinary operations leaves out: nested addresses, special reads and writes, dashboards, archives, settings.
import { beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { newEngine } from '../support/engine.ts';
import { CALLERS, type CallerName, isGone, type Matrix, newMatrix, STATES, type State } from '../support/matrix.ts';
import type { Action } from '../support/oracle.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, askerOf, each, siteOn, TODAY } from '../support/site.ts';

class TakenBack extends Error {}

let matrix: Matrix;
beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  matrix = await newMatrix(await siteOn(engine));
  return () => engine.end();
}, 60_000);

type Asks = (asker: Asker, row: Row) => Promise<unknown>;

/** One operation that is asked about a record of that kind. */
interface Probe {
  readonly of: string;
  readonly action: Action;
  readonly asks: Asks;
  /** Whose right it is, where it is not the record's own; and the code for what is not there. */
  readonly onto?: (row: Row) => readonly [kind: string, row: Row];
  readonly unseen?: string;
  /** It may be of other kinds too. */
  readonly ofAny?: true;
  /** The member that names it in the path. */
  readonly by?: string;
}

const read = (of: string, asks: Asks, more: Partial<Probe> = {}): Probe => ({ of, action: 'read', asks, ...more });
const of = (...ids: readonly (Value | undefined)[]): readonly (Value | undefined)[] => ids;
/** Reads of nested addresses: `[kind, operation, route, the IDs in the path]`. */
const gets = (kind: string, route: string, path: (row: Row) => readonly (Value | undefined)[]): Probe =>
  read(kind, (asker, row) => asker.call(kind as 'task', 'get', { [route]: path(row) }));
const lists = (kind: string, operation: string, route: string, owner: string, ...words: readonly string[]): Probe =>
  read(owner, (asker, row) => asker.answers(kind as 'task', operation, { [route]: of(row.ID, ...words) }));
const writes = (kind: string, route: string, path: (row: Row) => readonly (Value | undefined)[]): Probe => ({
  of: kind,
  action: 'update',
  asks: (asker, row) => asker.call(kind as 'task', 'update', { [route]: path(row) }, { body: row }),
});

const dashboards = (operation: string, route: string, owner: string, ...words: readonly string[]): Probe => ({
  ...lists('dashboard', operation, route, owner, ...words),
  ...(owner === 'individual' ? { onto: (row: Row) => ['dashboard', row] as const } : {}),
});
const permissions = (route: string, owner: string): Probe => ({
  ...lists('permission', 'list', route, owner, '9'),
  action: 'delegate',
});
/** Named by its individual and something else, without an ID of its own. */
const byTwo = (probe: Probe): Probe => ({ ...probe, by: 'IndividualID' });
const member = ({ IndividualID, OrganizationID }: Row) => of(IndividualID, OrganizationID);
const memberOf = ({ IndividualID, OrganizationID }: Row) => of(OrganizationID, IndividualID);

const PROBES: Readonly<Record<string, Probe>> = {
  'an accountability below its individual': gets('accountability', 'individual', (row) => of(row.AncestorID, row.ID)),
  'a basic role below its individual': gets('basicRole', 'individual', (row) => of(row.IndividualID, row.ID)),
  'criteria below their project': gets('evaluationCriteria', 'project', (row) => of(row.AncestorID, row.ID)),
  'a membership below its individual': byTwo(gets('organizationMember', 'individual', member)),
  'a team member below its individual': byTwo(
    gets('teamMember', 'individual', (row) => of(row.IndividualID, row.TaskID)),
  ),
  'a team member below its project': byTwo(
    gets('teamMember', 'alsoProject', (row) => of(row.TaskID, row.IndividualID)),
  ),
  'a change of a membership below its individual': byTwo(writes('organizationMember', 'individual', member)),
  'a change of a membership below its department': byTwo(writes('organizationMember', 'alsoDepartment', memberOf)),
  'a change of a membership, the other words for an individual': byTwo(
    writes('organizationMember', 'alsoIndividual', member),
  ),
  'a change of a membership, the other words for a department': byTwo(
    writes('organizationMember', 'alsoOrganization', memberOf),
  ),
  'all dialogs of an individual': lists('dialog', 'all', 'individual', 'individual'),
  'dialogs of a basic role': lists('basicRoleDialog', 'list', 'basicRole', 'basicRole'),
  'basic roles of a dialog': lists('basicRoleDialog', 'list', 'dialog', 'dialog'),
  'archives of an individual': lists('archive', 'list', 'individual', 'individual'),
  'archives of a department': lists('archive', 'list', 'department', 'organization'),
  'archives of a project': lists('archive', 'list', 'project', 'project'),
  'the dashboard of an organization': dashboards('get', 'organization', 'organization'),
  'the dashboard of a department': dashboards('get', 'department', 'organization'),
  'the dashboard of an individual': dashboards('get', 'individual', 'individual'),
  'metrics behind a dashboard': dashboards('metrics', 'of', 'organization', '8020'),
  'metrics behind the dashboard of an individual': dashboards('metrics', 'of', 'individual', '8020'),
  'active projects behind a dashboard': dashboards('activeProjects', 'of', 'individual'),
  'completed projects behind a dashboard': dashboards('completedProjects', 'of', 'individual'),
  'projects of departments behind a dashboard': dashboards('deptActiveProjects', 'of', 'organization'),
  'commitments behind a dashboard': { ...lists('commitment', 'list', 'dashboard', 'organization', 'organization') },
  'rights on children of an individual': permissions('individualChildren', 'individual'),
  'rights on children of a department': permissions('departmentChildren', 'organization'),
  'rights on children of a department, in other words': permissions('alsoDepartmentChildren', 'organization'),
  'rights on children of a project': permissions('projectChildren', 'project'),
  'rights on children of a metric': permissions('metricChildren', 'metric'),
  'rights on children of a task': permissions('taskChildren', 'task'),
  'tasks of a project by the filter': read(
    'project',
    (asker, row) => asker.list('task', 'plain', { ancestorId: String(row.ID) }),
    { ofAny: true },
  ),
  'a task that is completed': {
    of: 'task',
    action: 'update',
    asks: (asker, row) => asker.call('task', 'toggleCompleted', { plain: row.ID }),
  },
  'separate tasks below a project': {
    of: 'project',
    action: 'create',
    onto: (row) => ['task', { AncestorID: row.ID ?? null }],
    unseen: 'invalid',
    ofAny: true,
    asks: async (asker, row) =>
      asker.call('task', 'createSeparate', 'plain', {
        body: await asker.body('task', { AncestorID: row.ID, Responsible: [asker.id] }),
      }),
  },
  'an archive of a project': {
    of: 'project',
    action: 'update',
    unseen: 'invalid',
    asks: (asker, row) =>
      asker.call('archive', 'take', 'plain', { body: { Item: row.ID, Name: 'Now', Comment: 'As it is' } }),
  },
};

/** A record that is in that state; one that is nowhere is like one that is there, but for what names it. */
function stateOf({ of: kind, ofAny, by = 'ID' }: Probe, state: State): Row | undefined {
  if (ofAny && state === 'other kind') return undefined;
  const row = matrix.record(kind, state);
  if (!row || !['missing', 'other kind'].includes(state)) return row;
  return { ...matrix.record(kind, 'own'), [by]: row.ID ?? null };
}

/** Asks and takes everything back; the code of the refusal, or `passes`, and the words. */
async function outcome({ session: own }: Asker, asks: Asks, row: Row): Promise<readonly [code: string, words: string]> {
  try {
    await own.local?.transaction(async (session) => {
      await asks(askerOf(session, matrix.site.engine), row);
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, JSON.stringify([error.message, error.hint, error.faults])];
    if (!(error instanceof TakenBack)) throw error;
  }
  return ['passes', ''];
}

function expected(probe: Probe, name: CallerName, state: State, row: Row): string {
  const { of: kind, action, onto, unseen = 'not_found' } = probe;
  const isOthers = name === 'other site';
  if (['missing', 'other kind'].includes(state) || (state === 'other site') !== isOthers) return unseen;
  if (isOthers) return 'passes';
  if (!matrix.allows(name, 'read', kind, row)) return unseen;
  if (isGone(state)) return unseen === 'invalid' ? 'gone' : 'deleted';
  const [asked, object] = onto?.(row) ?? [kind, row];
  return matrix.allows(name, action, asked, object) ? 'passes' : 'forbidden';
}

describe.each(Object.entries(PROBES))('%s', (_what, probe) => {
  it.each(STATES)('is for whom the oracle says, where the record is: %s', async (state) => {
    const row = stateOf(probe, state);
    if (!row) return expect(state).not.toBe('own');
    const [seen, wanted]: unknown[][] = [[], []];
    for (const name of CALLERS) {
      if (name === 'other site' && typeof row.ID === 'number') continue;
      const [code, words] = await outcome(matrix.callers[name], probe.asks, row);
      const want = expected(probe, name, state, row);
      const isWanted = want === 'gone' ? ['deleted', 'invalid'].includes(code) : code === want;
      wanted?.push([name, want]);
      seen?.push([name, isWanted ? want : code, ...(isWanted ? [] : [words])]);
    }
    expect(seen).toEqual(wanted);
  });

  it('answers a record that may not be read, and one of another site, as one that is nowhere', async () => {
    const { of: kind, by = 'ID' } = probe;
    const nowhere = matrix.record(kind, 'missing')?.ID ?? null;
    const hidden = [
      ['deny', matrix.record(kind, 'own')],
      ['allow', matrix.record(kind, 'other site')],
    ] as const;
    for (const [name, there] of hidden) {
      if (!there || typeof there.ID === 'number') continue;
      const told = await outcome(matrix.callers[name], probe.asks, there);
      const wanted = await outcome(matrix.callers[name], probe.asks, { ...there, [by]: nowhere });
      expect(told.join().replaceAll(String(there[by]), String(nowhere))).toBe(wanted.join());
    }
  });
});

/** Callers of the site itself. */
const HERE = CALLERS.filter((name) => name !== 'other site');

describe.each(HERE)('for a caller with %s', (name) => {
  const seenBy = async (resource: 'individual' | 'organization' | 'task', kind: string): Promise<readonly Value[]> => {
    const all = await matrix.site.engine.store.find({ resource, site: matrix.site.id, deleted: 0 });
    return all.filter((row) => matrix.allows(name, 'read', kind, row)).map(({ ID = null }) => ID);
  };
  const asked = (resource: 'dashboard' | 'basicRole' | 'task', operation: string, of: string) =>
    matrix.callers[name].answers(resource, operation, of === 'site' ? { site: matrix.site.id } : of);

  it('dashboards are listed of all organizations and individuals whose dashboards they may read', async () => {
    const wanted = [...(await seenBy('organization', 'organization')), ...(await dashboardsOfIndividuals())];
    expect(each(await asked('dashboard', 'list', 'plain'), 'ID').sort()).toEqual(wanted.sort());
  });

  const dashboardsOfIndividuals = async (): Promise<readonly Value[]> => {
    const people = await seenBy('individual', 'individual');
    return people.filter((ID) => matrix.allows(name, 'read', 'dashboard', { ID }));
  };

  it('basic roles are counted of all individuals that they may read', async () => {
    const counted = each(await asked('basicRole', 'summary', 'site'), 'IndividualID');
    expect(counted.sort()).toEqual([...(await seenBy('individual', 'individual'))].sort());
  });

  it('tasks of projects are reported as far as they may be read', async () => {
    const mine = await seenBy('task', 'task');
    const all = each(await matrix.callers.global.answers('task', 'simple'), 'ID');
    expect(each(await asked('task', 'simple', 'plain'), 'ID')).toEqual(all.filter((ID) => mine.includes(ID as Value)));
  });

  it('settings of the site are read with it, and changed by administrators alone', async () => {
    const settings = { plain: matrix.site.id };
    const read = () => matrix.callers[name].call('siteSetting', 'get', settings);
    if (name === 'deny') await refuses(read()).with('not_found');
    else expect(await read()).toMatchObject({ ID: matrix.site.id });
    const written = matrix.callers[name].call('siteSetting', 'update', settings, {
      body: await matrix.callers.global.call('siteSetting', 'get', settings),
    });
    if (['administrator', 'global'].includes(name)) expect(await written).toMatchObject({ ID: matrix.site.id });
    else await refuses(written).with('admin_only');
  });

  it('an archive is read as the oracle says', async () => {
    const row = matrix.record('individual', 'own') as Row;
    const body = { Item: row.ID, Name: name, Comment: 'As it was' };
    const archive = await matrix.callers.global.call('archive', 'take', 'plain', { body });
    const isSeen = matrix.allows(name, 'read', 'archive', { ...archive, ItemID: row.ID ?? null });
    const read = matrix.callers[name].get('archive', archive.ID);
    if (isSeen) expect(await read).toEqual(archive);
    else await refuses(read).with('not_found');
  });

  it('what a dialog says of a basic role is read, and written, as the oracle says', async () => {
    const [role, dialog] = [matrix.record('basicRole', 'own') as Row, matrix.record('dialog', 'own') as Row];
    const route = { basicRole: [role.ID, dialog.ID] };
    const entry = { BasicRoleID: role.ID ?? null, DialogID: dialog.ID ?? null, Description: 'Well done' };
    const { global: ada, [name]: asker } = matrix.callers;
    await ada.call('basicRoleDialog', 'update', route, { body: entry });
    const allows = (action: Action) => matrix.allows(name, action, 'basicRoleDialog', entry);
    const code = (want: boolean) => (want ? 'passes' : allows('read') ? 'forbidden' : 'not_found');
    const passes = () => 'passes';
    expect(await asker.call('basicRoleDialog', 'get', route).then(passes, refusal)).toBe(code(allows('read')));
    const written = asker.call('basicRoleDialog', 'update', route, { body: entry }).then(passes, refusal);
    expect(await written).toBe(code(allows('update') && allows('read')));
  });
});

const refusal = (error: ServiceError): string => error.code;
