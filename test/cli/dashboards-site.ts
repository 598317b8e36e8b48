// A company with dashboards: Works with Sales (EMEA below) and Labs; ann and zoe in Sales, bob in EMEA.
import type { Row } from '../../src/contract/resource.ts';
import { empty, full } from './dashboards-rows.ts';
import { type Company, idOf } from './dashboards-service.ts';

export const WORKS = idOf(100);
export const SALES = idOf(101);
export const ANN = idOf(901);
export const EVIL = '<script>alert("1")</script> & \u202eeoZ';

const unit = (number: number, name: string, parent: string): Row => ({
  ID: idOf(number),
  Name: name,
  ParentID: parent,
  RowType: number === 100 ? 4 : 56,
});

const person = (number: number, userName: string, fullName: string, department: number): Row => ({
  ID: idOf(number),
  UserName: userName,
  Email: `${userName}@example.org`,
  FullName: fullName,
  PrimaryTitle: 'Member',
  PrimaryOrganizationID: idOf(department),
});

/** Nobody may read the dashboard of Labs, and zoe's is without data. */
export function companyWithDashboards(): Company {
  const organizations = [
    unit(100, 'Works', idOf(1)),
    unit(101, 'Sales', WORKS),
    unit(102, 'EMEA', SALES),
    unit(103, 'Labs', WORKS),
  ];
  const individuals = [
    person(901, 'ann', 'Ann Smith', 101),
    person(902, 'zoe', EVIL, 101),
    person(903, 'bob', 'Bob Stone', 102),
    person(904, 'labs', 'Lab Smith', 103),
  ];
  const dashboards = new Map<string, Row>();
  for (const { ID, Name, RowType } of organizations.slice(0, 3))
    dashboards.set(String(ID), full({ ID: String(ID), Name: String(Name), RowType: Number(RowType) }));
  for (const { ID, FullName, UserName } of individuals) {
    const own = { ID: String(ID), Name: String(FullName), RowType: 39 };
    dashboards.set(String(ID), UserName === 'zoe' ? empty(own) : full({ ...own, PersonalGoalsCompleted: 4 }));
  }
  return { organizations, individuals, dashboards };
}
