// How the projects of the small sample go: begun, staffed, looked at, some finished.
import { dayText, hourOf, moment } from './calendar.ts';
import { idNamed } from './founding.ts';
import { addRanked } from './own-lists.ts';
import { type Random, randomOf } from './random.ts';
import { ABOUT_PROJECTS, PROJECT_AGENDA } from './remarks.ts';
import { DEPARTMENTS, idOf, SEED } from './small-company.ts';
import { departmentID } from './small-founding.ts';
import { PROJECTS, type Undertaken } from './small-projects.ts';
import { addTeamMember } from './team.ts';
import type { Visit, Writer } from './timeline.ts';

export const projectID = (key: string): string => idOf('project', key);
export const partID = (kind: 'projectScope' | 'evaluationCriteria', key: string, part: number) =>
  idOf(kind, `${key} ${part}`);
export const kickOffID = (key: string): string => idOf('dialog', `${key} kick-off`);

export function projectVisits(today: Date): readonly Visit[] {
  return PROJECTS.flatMap((project) => {
    const random = randomOf(SEED, 'project', project.key);
    return [
      begin(today, project, random),
      ...laterMembers(today, project, random),
      ...remarks(today, project, random),
      ...(project.dropped === undefined && project.parent !== 'refit' ? [look(today, project, random)] : []),
    ];
  });
}

function begin(today: Date, project: Undertaken, random: Random): Visit {
  return {
    at: moment(today, project.begun, random),
    user: project.team[0],
    async work(writer) {
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
      for (const user of project.team.filter((one) => joinedBy(one, project.begun)))
        await addMember(writer, project, user);
      if (!project.parent) await addKickOff(writer, today, project);
    },
  };
}

/** Its place below the same project, or among those at the top. */
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

const joinedOf = (user: string): number | undefined =>
  DEPARTMENTS.flatMap(({ people }) => people).find((one) => one.user === user)?.joined;

const joinedBy = (user: string, ago: number): boolean => (joinedOf(user) ?? Number.POSITIVE_INFINITY) > ago;

const addMember = (writer: Writer, { key, team }: Undertaken, user: string) =>
  addTeamMember(writer, {
    project: projectID(key),
    individual: idOf('individual', user),
    role: user === team[0] ? 'Leader' : user === team[team.length - 1] && team.length > 3 ? 'Adviser' : 'Member',
  });

/** Who joined the company after the project began. */
function laterMembers(today: Date, project: Undertaken, random: Random): readonly Visit[] {
  return project.team
    .filter((user) => !joinedBy(user, project.begun))
    .map((user) => ({
      at: moment(today, (joinedOf(user) ?? project.begun) - 14, random),
      user: project.team[0],
      work: (writer: Writer) => addMember(writer, project, user),
    }));
}

/** The last look: phase and status as they are now, and which criteria are reached. */
function look(today: Date, project: Undertaken, random: Random): Visit {
  const ago = project.ended ?? Math.min(random.between(3, 20), project.begun - 4);
  return {
    at: moment(today, ago, random),
    user: project.team[0],
    async work(writer) {
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
    },
  };
}

function remarks(today: Date, project: Undertaken, random: Random): readonly Visit[] {
  const end = project.ended ?? project.dropped ?? (project.parent === 'refit' ? 420 : 3);
  return project.team.slice(0, 3).map((user) => ({
    at: moment(today, random.between(end + 4, Math.min(project.begun, joinedOf(user) ?? project.begun) - 6), random),
    user,
    work: (writer: Writer) =>
      writer.add('comment', { AncestorID: projectID(project.key), Body: writer.random.pick(ABOUT_PROJECTS) }),
  }));
}
