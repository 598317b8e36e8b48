// The names that are found by what a record is about: dialogs still to come, tasks under them, personal goals (D34, D35).

import type { Input } from '../../contract/call.ts';
import { contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Picture } from './picture.ts';
import {
  dayOf,
  type Gap,
  isMissing,
  type Listed,
  listed,
  nameIn,
  type Reading,
  type Scope,
  type Unmet,
} from './unmet-lists.ts';

/** Lists of the whole site, each read once, when it is first needed. */
export interface SharedLists {
  dialogs(): Listed;
  tasks(): Listed;
  projects(): Listed;
}

export function sharedLists(reading: Reading): SharedLists {
  const { dialog, task, project } = contract;
  const once = (operation: Operation, input: Input): (() => Listed) => {
    let list: Listed | undefined;
    return () => (list ??= listed(reading, operation, input));
  };
  return {
    dialogs: once(dialog.operations.list, { by: 'plain' }),
    tasks: once(task.operations.list, { by: 'plain' }),
    projects: once(project.operations.list, { by: 'site', params: { siteid: reading.session.me.site } }),
  };
}

type Names = ReadonlyMap<string, string>;

/** What is not met of dialogs, follow-ups and goals; undefined where the figures say that nothing is missing. */
export async function unmetOfSubjects(
  { now }: Reading,
  picture: Picture,
  scope: Scope,
  lists: SharedLists,
): Promise<readonly (Unmet | undefined)[]> {
  const some = (name: string): boolean =>
    ['Org', 'Dept', 'Proj', 'Ind'].some((kind) => isMissing(picture, kind + name));
  const [hasDialogs, hasFollowUps] = [some('DialogsOccurred'), some('FollowUpsCompleted')];
  const subjects = hasDialogs || hasFollowUps ? await subjectsOf(scope, lists) : new Map<string, string>();
  return [
    hasDialogs ? await dialogsToCome(picture, subjects, lists, now) : undefined,
    hasFollowUps ? await openFollowUps(picture, subjects, lists) : undefined,
    isMissing(picture, 'PersonalGoalsCompleted') ? await openGoals(scope.people, lists) : undefined,
  ];
}

/** The owners and the projects of their units, by their IDs. */
async function subjectsOf({ units, people }: Scope, lists: SharedLists): Promise<Names> {
  const projects = ((await lists.projects()) ?? []).filter(({ AncestorID }) => units.has(String(AncestorID)));
  return new Map([...units, ...people, ...projects.map((row) => [String(row.ID), nameIn(row)] as const)]);
}

async function dialogsToCome(picture: Picture, subjects: Names, lists: SharedLists, now: Date): Promise<Unmet> {
  const isToCome = ({ AncestorID, DialogDate, Draft }: Row): boolean =>
    subjects.has(String(AncestorID)) &&
    isWithin(picture, DialogDate) &&
    Draft !== true &&
    Date.parse(String(DialogDate)) > now.getTime();
  const gap = (row: Row): Gap => ({
    name: nameIn(row) || 'Dialog',
    whose: subjects.get(String(row.AncestorID)),
    detail: `on ${dayOf(row.DialogDate)}`,
  });
  return { title: 'Dialogs not held yet', gaps: (await lists.dialogs())?.filter(isToCome).map(gap) };
}

async function openFollowUps(picture: Picture, subjects: Names, lists: SharedLists): Promise<Unmet> {
  const [dialogs, tasks] = [await lists.dialogs(), await lists.tasks()];
  const about: Names = new Map(
    (dialogs ?? []).flatMap(({ ID, AncestorID }) => {
      const name = subjects.get(String(AncestorID));
      return name === undefined ? [] : [[String(ID), name] as const];
    }),
  );
  const made = tasks?.filter(({ Created }) => isWithin(picture, Created));
  return { title: 'Follow-ups not completed', gaps: dialogs && made && openTasks(made, about) };
}

const openGoals = async (people: Names, lists: SharedLists): Promise<Unmet> => {
  const tasks = await lists.tasks();
  return { title: 'Personal goals not reached', gaps: tasks && openTasks(tasks, people) };
};

/** The tasks of these owners that have not ended. */
const openTasks = (tasks: readonly Row[], owners: Names): readonly Gap[] =>
  tasks
    .filter(({ AncestorID, EndDateActual }) => owners.has(String(AncestorID)) && dayOf(EndDateActual) === '')
    .map((row) => ({
      name: nameIn(row),
      whose: owners.get(String(row.AncestorID)),
      detail: dayOf(row.EndDateProjected) === '' ? '' : `planned until ${dayOf(row.EndDateProjected)}`,
    }));

/** Is the day of it in the period of the dashboard? */
const isWithin = ({ from, to }: Picture, value: Value | undefined): boolean =>
  (from === null || dayOf(value) >= from) && (to === null || dayOf(value) <= to);
