// The visits to the projects of the small sample: these are begun, staffed, commented and reviewed, some finished.
import { dayText, hourOf, moment } from './calendar.ts';
import { addTeamMember, idNamed } from './founding.ts';
import { addRanked } from './own-lists.ts';
import { type Random, randomOf } from './random.ts';
import { ABOUT_PROJECTS, PROJECT_AGENDA } from './remarks.ts';
import { DEPARTMENTS, idOf, SEED } from './small-company.ts';
import { departmentID } from './small-founding.ts';
import { PROJECTS, type Undertaken } from './small-projects.ts';
import { type Visit, visit, type Writer } from './timeline.ts';

export const projectID = (key: string): string => idOf('project', key);
/** The ID of a scope or criterion of a project, by its rank. */
export const partID = (kind: 'projectScope' | 'evaluationCriteria', key: string, rank: number) =>
  idOf(kind, `${key} ${rank}`);
export const kickOffID = (key: string): string => idOf('dialog', `${key} kick-off`);

/** Projects that were dropped are not reviewed; those below `refit` are dropped with it. */
export function projectVisits(today: Date): readonly Visit[] {
  return PROJECTS.flatMap((project) => {
    const random = randomOf(SEED, 'project', project.key);
    return [
      begin(today, project, random),
      ...laterMembers(today, project, random),
      ...remarks(today, project, random),
      ...(project.dropped === undefined && project.parent !== 'refit' ? [lastReview(today, project, random)] : []),
    ];
  });
}

function begin(today: Date, project: Undertaken, random: Random): Visit {
  return visit(moment(today, project.begun, random), project.team[0], async (writer) => {
    const ID = projectID(project.key);
    await writer.add('project', {
      ID,
      ParentID: project.parent ? projectID(project.parent) : null,
      AncestorID: departmentID(project.department),
      Rank: rankOf(project),
      Name: project.name,
      Description: project.text,
      Color: project.color ?? null,
      TrackingLabel: project.label ?? null,
      PhaseID: await idNamed(writer, 'phase', 'Idea'),
      StatusID: await idNamed(writer, 'status', 'On track'),
      StartDateProjected: dayText(today, project.begun - 14),
      EndDateProjected: dayText(today, project.due + (project.status === 'At risk' ? 30 : 0)),
      HoursProjected: project.team.length * 160,
    });
    await addParts(writer, project);
    for (const user of project.team.filter((one) => hadJoined(one, project.begun)))
      await addMember(writer, project, user);
    if (!project.parent) await addKickOff(writer, today, project);
  });
}

/** Its place, from 1, among the projects of the same parent, or among those without one. */
const rankOf = (project: Undertaken): number =>
  PROJECTS.filter(({ parent }) => parent === project.parent).indexOf(project) + 1;

async function addParts(writer: Writer, { key, scopes, criteria }: Undertaken): Promise<void> {
  const AncestorID = projectID(key);
  await addRanked(writer, 'projectScope', scopes, (rank) => ({ ID: partID('projectScope', key, rank), AncestorID }));
  await addRanked(writer, 'evaluationCriteria', criteria, (rank) => ({
    ID: partID('evaluationCriteria', key, rank),
    AncestorID,
    Completed: false,
  }));
}

const addKickOff = (writer: Writer, today: Date, { key, begun }: Undertaken) =>
  writer.add('dialog', {
    ID: kickOffID(key),
    AncestorID: projectID(key),
    DialogDate: hourOf(today, begun - 5, 10),
    Name: 'Kick-off',
    Location: 'Hall 1, upper floor',
    Agenda: PROJECT_AGENDA,
  });

/** How many days ago the user joined; undefined for those who are there from the beginning. */
const joinedOf = (user: string): number | undefined =>
  DEPARTMENTS.flatMap(({ people }) => people).find((one) => one.user === user)?.joined;

const hadJoined = (user: string, ago: number): boolean => (joinedOf(user) ?? Number.POSITIVE_INFINITY) > ago;

const addMember = (writer: Writer, { key, team }: Undertaken, user: string) =>
  addTeamMember(writer, {
    project: projectID(key),
    individual: idOf('individual', user),
    role: user === team[0] ? 'Leader' : user === team[team.length - 1] && team.length > 3 ? 'Adviser' : 'Member',
  });

/** Members who joined the company after the project began: the leader adds them two weeks after they joined. */
function laterMembers(today: Date, project: Undertaken, random: Random): readonly Visit[] {
  return project.team
    .filter((user) => !hadJoined(user, project.begun))
    .map((user) =>
      visit(moment(today, (joinedOf(user) ?? project.begun) - 14, random), project.team[0], (writer) =>
        addMember(writer, project, user),
      ),
    );
}

/** The leader's last review, which sets the phase and status of today, and the criteria that are reached. */
function lastReview(today: Date, project: Undertaken, random: Random): Visit {
  const ago = project.ended ?? Math.min(random.between(3, 20), project.begun - 4);
  return visit(moment(today, ago, random), project.team[0], async (writer) => {
    await writer.change('project', projectID(project.key), {
      PhaseID: await idNamed(writer, 'phase', project.phase),
      StatusID: await idNamed(writer, 'status', project.status),
      StartDateActual: project.phase === 'Idea' ? null : dayText(today, project.begun - 16),
      EndDateActual: project.ended === undefined ? null : dayText(today, project.ended),
      EndDateProjected: dayText(today, project.due),
      HoursActual: project.team.length * writer.random.between(20, 150),
    });
    for (let rank = 1; rank <= project.reached; rank++) {
      await writer.change('evaluationCriteria', partID('evaluationCriteria', project.key, rank), { Completed: true });
    }
  });
}

/** Comments of up to three members, all of them before the project ended or was dropped. */
function remarks(today: Date, project: Undertaken, random: Random): readonly Visit[] {
  // In days ago; 420 is before `refit` was dropped.
  const end = project.ended ?? project.dropped ?? (project.parent === 'refit' ? 420 : 3);
  return project.team.slice(0, 3).map((user) => {
    const ago = random.between(end + 4, Math.min(project.begun, joinedOf(user) ?? project.begun) - 6);
    return visit(moment(today, ago, random), user, (writer) =>
      writer.add('comment', { AncestorID: projectID(project.key), Body: writer.random.pick(ABOUT_PROJECTS) }),
    );
  });
}
