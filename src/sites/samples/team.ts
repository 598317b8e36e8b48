// Who works in a project, by which rights the people of a sample write, and user names made of names.
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import type { Writer } from './timeline.ts';

interface Part {
  readonly project: string;
  readonly individual: string;
  readonly role: 'Sponsor' | 'Leader' | 'Member' | 'Adviser';
}

export async function addTeamMember(writer: Writer, { project, individual, role }: Part): Promise<Row> {
  const HoursProjected = writer.random.between(4, 30) * 8;
  return writer.add('teamMember', {
    TaskID: project,
    IndividualID: individual,
    RoleID: await roleNamed(writer, role),
    HoursProjected,
    HoursActual: Math.round(HoursProjected * writer.random.next() * 4) / 4,
    TeamSurvey: role !== 'Adviser',
  });
}

/** The part of an individual in a project is over. */
export async function deleteTeamMember(writer: Writer, project: string, individual: string): Promise<void> {
  const params = { projectId: project, individualId: individual };
  const part = await writer.session.call(contract.teamMember.operations.get, { by: 'individual', params });
  await writer.delete('teamMember', part.ID);
}

async function roleNamed({ session }: Writer, name: string) {
  for await (const role of session.list(contract.teamMember.operations.roles)) {
    if (role.Group === name) return role.ID ?? null;
  }
  return null;
}

const WRITES = { CreateState: 1, ReadState: 1, UpdateState: 1, DeleteState: 1, DelegateState: 0 } as const;

/** Lets an individual write on a record and on all that belongs to it. Both are IDs. */
export async function letWrite(writer: Writer, individual: string, on: string): Promise<void> {
  const { UserID = null } = (await writer.session.find.record('individual', { id: individual })).row ?? {};
  await writer.add('permission', { ...WRITES, RowID: on, PrincipalID: UserID, ChildType: null });
}

/** Letters that do not come apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', ð: 'd', þ: 'th', æ: 'ae', đ: 'd' };

export const userNameOf = (first: string, last: string): string => `${plain(first)}.${plain(last)}`;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\x00-\x7f]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^a-z-]/g, '');
