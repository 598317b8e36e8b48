// What was deleted in the small sample, and what came back.
import type { ResourceName } from '../../contract/index.ts';
import { moment } from './calendar.ts';
import type { Pen, Visit } from './diary.ts';
import { lineOf } from './own-lists.ts';
import { randomOf } from './random.ts';
import { CLOSED, DEPARTMENTS, idOf, RECORD_KEEPER, SEED } from './small-company.ts';
import { departmentTalkID } from './small-departments.ts';
import { departmentID, groupID } from './small-founding.ts';
import { PROJECTS } from './small-projects.ts';
import { partID, projectID } from './small-undertaken.ts';
import { deleteTeamMember } from './team.ts';

const MISTAKEN = idOf('comment', 'mistaken');
const HASTY = 'ewa.zielinska';

const individual = (user: string): string => idOf('individual', user);
const accountabilityOf = (user: string, rank: number): string => lineOf(individual(user), 'accountability', rank);
const roleOf = (user: string, rank: number): string => lineOf(individual(user), 'basicRole', rank);

/** Days ago, whose hand, which record. */
type Deletion = readonly [ago: number, user: string, resource: ResourceName, id: string];

const SINGLE: readonly Deletion[] = [
  [CLOSED.closed, RECORD_KEEPER, 'organization', departmentID(CLOSED.key)],
  // Before its owner left, so that it stays deleted when he is undeleted.
  [230, 'henrik.baas', 'accountability', accountabilityOf('henrik.baas', 2)],
  [150, 'tomasz.wrona', 'accountability', accountabilityOf('tomasz.wrona', 3)],
  [120, 'luis.ferreira', 'accountability', accountabilityOf('luis.ferreira', 2)],
  [100, 'giorgos.papadakis', 'supervisoryScope', lineOf(individual('giorgos.papadakis'), 'supervisoryScope', 2)],
  [95, 'pavel.novotny', 'basicRole', roleOf('pavel.novotny', 2)],
  [88, 'marta.kowalczyk', 'indicator', lineOf(roleOf('marta.kowalczyk', 1), 'indicator', 2)],
  [84, 'margaret.oyelaran', 'projectScope', partID('projectScope', 'ferry-12', 3)],
  [80, 'farid.haddad', 'evaluationCriteria', partID('evaluationCriteria', 'module-2', 3)],
  [70, RECORD_KEEPER, 'securityGroup', groupID('Interns')],
  [66, 'oscar.ibanez', 'dialog', departmentTalkID('service', 3)],
  [40, 'bjorn.akesson', 'comment', MISTAKEN],
];

export function deletionVisits(today: Date): readonly Visit[] {
  const at = (ago: number, name: string): number => moment(today, ago, randomOf(SEED, 'deletion', name));
  const one = ([ago, user, resource, id]: Deletion): Visit => ({
    at: at(ago, id),
    user,
    work: async (pen) => void (await pen.delete(resource, id)),
  });
  const left = DEPARTMENTS.flatMap(({ people }) => people).flatMap(({ id, left: ago }) =>
    ago === undefined ? [] : [one([ago, RECORD_KEEPER, 'individual', id])],
  );
  const dropped = PROJECTS.flatMap(({ key, dropped: ago, team }) =>
    ago === undefined ? [] : [one([ago, team[0], 'project', projectID(key)])],
  );
  return [
    ...SINGLE.map(one),
    ...left,
    ...dropped,
    { at: at(46, 'mistake'), user: 'bjorn.akesson', work: mistake },
    { at: at(64, HASTY), user: RECORD_KEEPER, work: deleteHastily },
    { at: at(78, 'team'), user: 'mei.tanaka', work: leaveTeam },
    { at: at(60, 'again'), user: 'hanna.virtanen', work: changeOnesMind },
  ];
}

const mistake = async (pen: Pen): Promise<void> =>
  void (await pen.add('comment', {
    ID: MISTAKEN,
    AncestorID: projectID('noise'),
    Body: 'Oops, this belongs to another project.',
  }));

async function deleteHastily(pen: Pen): Promise<void> {
  await pen.delete('individual', individual(HASTY));
  await pen.undelete('individual', individual(HASTY));
  await pen.add('comment', {
    AncestorID: individual(HASTY),
    Body: 'Deleted by mistake, and undeleted with everything that belongs to it. Sorry, Ewa!',
  });
}

const leaveTeam = (pen: Pen): Promise<void> => deleteTeamMember(pen, projectID('drive-12'), individual('lucia.pena'));

async function changeOnesMind(pen: Pen): Promise<void> {
  const id = accountabilityOf('hanna.virtanen', 1);
  await pen.delete('accountability', id);
  await pen.undelete('accountability', id);
}
