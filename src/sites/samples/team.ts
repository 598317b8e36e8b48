// Who works in a project: the roles are the service's own, and are asked for by name.
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import type { Pen } from './diary.ts';

interface Part {
  readonly project: string;
  readonly individual: string;
  readonly role: 'Sponsor' | 'Leader' | 'Member' | 'Adviser';
}

export async function addTeamMember(pen: Pen, { project, individual, role }: Part): Promise<Row> {
  const HoursProjected = pen.random.between(4, 30) * 8;
  return pen.add('teamMember', {
    TaskID: project,
    IndividualID: individual,
    RoleID: await roleNamed(pen, role),
    HoursProjected,
    HoursActual: Math.round(HoursProjected * pen.random.next() * 4) / 4,
    TeamSurvey: role !== 'Adviser',
  });
}

/** The part of an individual in a project is over. */
export async function deleteTeamMember(pen: Pen, project: string, individual: string): Promise<void> {
  const params = { projectId: project, individualId: individual };
  const part = await pen.session.call(contract.teamMember.operations.get, { by: 'individual', params });
  await pen.delete('teamMember', part.ID);
}

async function roleNamed({ session }: Pen, name: string) {
  for await (const role of session.list(contract.teamMember.operations.roles)) {
    if (role.Group === name) return role.ID ?? null;
  }
  return null;
}
