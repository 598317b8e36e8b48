// Operations that are not ordinary. The compiler asks for a handler of every special and local operation.
import type { Input } from '../../contract/call.ts';
import type { Contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import type { Change, Context } from '../context.ts';
import type { Target } from '../target.ts';
import { writeBasicRoleDialog } from './basic-role-dialogs.ts';
import { summariseBasicRoles } from './basic-roles.ts';
import { defaultColors, defaultGroups, defaultPhases, teamRoles } from './defaults.ts';
import { grantGlobal, setPassword } from './individuals.ts';
import { createSite } from './sites.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

/** A handler that only reads; one that answers a list answers all of it. */
export type Reads = (context: Context, target: Target, input: Input) => Promise<readonly Row[]>;
export type Writes = (change: Change, target: Target, input: Input) => Promise<Row>;

type Unordinary<O> = {
  [N in keyof O as O[N] extends Operation<infer V> ? (V extends 'special' | 'local' ? N : never) : never]:
    | Reads
    | Writes;
};
/** Logging in is asked of the back end itself, before there is a session. */
type Asked = Omit<Contract, 'session'>;
type Specials = {
  [R in keyof Asked as keyof Unordinary<Contract[R]['operations']> extends never ? never : R]: Unordinary<
    Contract[R]['operations']
  >;
};

const SPECIALS: Specials = {
  basicRole: { summary: summariseBasicRoles },
  basicRoleDialog: { update: writeBasicRoleDialog },
  color: { defaults: defaultColors },
  phase: { defaults: defaultPhases },
  securityGroup: { defaults: defaultGroups },
  teamMember: { roles: teamRoles },
  individual: { setPassword, grantGlobal },
  site: { create: createSite },
  token: { create: createToken, list: listTokens, revoke: revokeToken },
};

/** The handler of a special operation; the types above promise that there is one. */
export function handlerOf(operation: Operation): Reads | Writes {
  const group: Readonly<Record<string, Reads | Writes>> | undefined = SPECIALS[operation.resource as keyof Specials];
  const handler = group?.[operation.name];
  if (!handler) throw new Error(`${operation.resource} ${operation.name} has no handler`);
  return handler;
}
