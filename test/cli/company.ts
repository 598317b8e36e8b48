// The small company that the tests of the command line find: admin above ann and bob, Sales with EMEA below.
import type { Pm } from '../support/pm.ts';

/** Departments Local/Sales/EMEA and Local/Labs; ann reports to admin, bob to ann; ann answers for Keep and Sell, bob for Keep. */
export async function company(pm: Pm): Promise<void> {
  await pm('departments create --name Sales --rank 1 --parent Local').prints();
  await pm('departments create --name EMEA --rank 1 --parent Sales').prints();
  await pm('departments create --name Labs --rank 2 --parent Local').prints();
  await pm(individual('ann', 'Ann Smith', 'Sales', 'me')).prints();
  await pm(individual('bob', 'Bob Stone', 'EMEA', 'ann')).prints();
  await pm('accountabilities create --individual ann --rank 2 --name Keep --description "Keep customers"').prints();
  await pm('accountabilities create --individual ann --rank 1 --name Sell --description "Sell more"').prints();
  await pm('accountabilities create --individual bob --rank 1 --name Keep --description "Keep promises"').prints();
}

export function individual(userName: string, fullName: string, department: string, reportsTo: string): string {
  const [first, last] = fullName.split(' ');
  return [
    `individuals create --user-name ${userName} --first-name ${first} --last-name ${last} --email ${userName}@example.org`,
    `--primary-organization ${department} --primary-title Member --primary-reports-to ${reportsTo}`,
  ].join(' ');
}
