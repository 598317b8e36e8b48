// The handlers of operations that are not ordinary. The compiler demands one for every special and local operation.
import type { Input } from '../../contract/call.ts';
import type { Contract } from '../../contract/index.ts';
import type { Operation, Operations } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context, Writing } from '../context.ts';
import type { Target } from '../target.ts';
import {
  changeMembers,
  createToken,
  endSession,
  grantGlobal,
  groupMembers,
  listTokens,
  revokeToken,
  setPassword,
} from './access.ts';
import { takeArchive } from './archives.ts';
import { dashboardSpecials } from './dashboards.ts';
import { allDialogs, summariseBasicRoles, writeBasicRoleDialog } from './dialogs.ts';
import { createSite, defaultColors, defaultGroups, defaultPhases, teamRoles } from './sites.ts';
import { createSeparate, simpleTasks, toggleCompleted } from './tasks.ts';

/** Reads a whole list, or one record. */
export type ReadHandler = (context: Context, target: Target, input: Input) => Promise<readonly Row[]>;
/** Reads a list row by row. */
export type StreamHandler = (context: Context, target: Target, input: Input) => AsyncIterable<Row>;
/** Answers the record, or all that it creates. */
export type WriteHandler<T = Row> = (writing: Writing, target: Target, input: Input) => T | Promise<T>;
export type Handler = ReadHandler | StreamHandler | WriteHandler | WriteHandler<readonly Row[]>;

type HandlersOf<O extends Operations> = {
  [N in keyof O as O[N]['verb'] extends 'special' | 'local' ? N : never]: Handler;
};
/** The back end itself answers logins, before there is a session; the session ends here. */
type SessionContract = Omit<Contract, 'session'>;
type Specials = {
  [R in keyof SessionContract as keyof HandlersOf<Contract[R]['operations']> extends never ? never : R]: HandlersOf<
    Contract[R]['operations']
  >;
} & { session: { logout: Handler } };

const SPECIALS: Specials = {
  basicRole: { summary: summariseBasicRoles },
  basicRoleDialog: { update: writeBasicRoleDialog },
  color: { defaults: defaultColors },
  phase: { defaults: defaultPhases },
  securityGroup: {
    defaults: defaultGroups,
    members: groupMembers,
    addMember: changeMembers,
    deleteMember: changeMembers,
  },
  teamMember: { roles: teamRoles },
  individual: { setPassword, grantGlobal },
  site: { create: createSite },
  task: { simple: simpleTasks, createSeparate, toggleCompleted },
  archive: { take: takeArchive },
  dialog: { all: allDialogs },
  dashboard: dashboardSpecials,
  session: { logout: endSession },
  token: { create: createToken, list: listTokens, revoke: revokeToken },
};

/** The handler of a special or local operation; the types above demand it. */
export function handlerOf(operation: Operation): Handler {
  const group: Readonly<Record<string, Handler>> | undefined = SPECIALS[operation.resource as keyof Specials];
  const handler = group?.[operation.name];
  if (!handler) throw new Error(`${operation.resource} ${operation.name} has no handler`);
  return handler;
}
