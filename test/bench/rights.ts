// P16: a list for somebody whose rights are asked, against the same list for an administrator, who may do everything.
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { type Line, timesLine } from './line.ts';
import { accountability, fill, makeIndividuals, newSite, reopened, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

const COUNT = 20_000;
const ROWS_OF_RIGHTS = 50;
const ROUNDS = 7;
const GOAL = 1.2;

/** Both read all accountabilities of a third one. */
export async function rightsOnLists(): Promise<Line> {
  const filled = await newSite();
  const [owner = '', reader = ''] = await makeIndividuals(filled, 2);
  await giveRights(filled, reader);
  const { create } = contract.accountability.operations;
  const first = await filled.session.call(create, { body: accountability(owner, 0) });
  await fill(filled, 'accountability', String(first.ID), COUNT - 1, (n) => ({ Rank: n % 1000 }));
  const site = await reopened(filled);
  try {
    const limited = await site.as('individual1');
    const time = await medians(ROUNDS, {
      ours: () => timed(() => readAll(limited, owner)),
      limit: () => timed(() => readAll(site.session, owner)),
    });
    return timesLine({ row: 'P16', what: `list of ${COUNT.toLocaleString('en')} with rights`, goal: GOAL, ...time });
  } finally {
    await site.end();
  }
}

/** Rows on departments, each of which has to be looked at. */
async function giveRights({ session }: Site, reader: string): Promise<void> {
  const { UserID } = await session.call(contract.individual.operations.get, { params: { id: reader } });
  const states = { CreateState: 0, ReadState: 1, UpdateState: 1, DeleteState: 0, DelegateState: 0 };
  for (let n = 0; n < ROWS_OF_RIGHTS; n++) {
    const body = { Rank: n + 2, Name: `Department ${n}` };
    const { ID } = await session.call(contract.organization.operations.create, { body });
    const right = { RowID: ID, PrincipalID: UserID, ChildType: null, ...states };
    await session.call(contract.permission.operations.create, { body: right });
  }
}

async function readAll(session: Session, id: string): Promise<void> {
  let count = 0;
  const input = { by: 'individual', params: { individualid: id } };
  for await (const _row of session.list(contract.accountability.operations.list, input)) count++;
  if (count !== COUNT) throw new Error(`${session.me.userName} read ${count} of ${COUNT}`);
}
