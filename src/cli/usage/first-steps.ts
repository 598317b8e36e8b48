// pm alone: the first steps, by the databases and profiles that are there. Nothing is made for it, and no service is asked.
import { existsSync } from 'node:fs';
import type { Session } from '../../contract/call.ts';
import { contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import { addressOf } from '../../engine/store/postgres/address.ts';
import { asTyped } from '../output/calling.ts';
import { databaseIn, homeOf, systemUser } from '../profiles/home.ts';
import { knownFor, type Remote, targetOf } from '../profiles/profiles.ts';
import type { Streams } from '../streams.ts';

type Step = readonly [command: string, meaning: string];

/** A heading and commands that run as they are printed; where a file or a name is to be filled in, it is an obvious one. */
export async function firstSteps(io: Streams): Promise<readonly string[]> {
  const { remote, database } = targetOf(undefined, io);
  const [heading, steps] = database
    ? knownSteps(addressOf(database.address, systemUser(io), database.from).shown)
    : remote
      ? remoteSteps(remote, io)
      : await localSteps(io);
  const lines = [...steps, ALL].flatMap(([command, meaning]) => {
    const line = `  ${command.padEnd(COLUMN)}  ${meaning}`;
    return line.length <= io.columns ? line : [`  ${command}`, `      ${meaning}`];
  });
  return [`${heading}:`, ...lines];
}

const COLUMN = 34;
const ALL: Step = ['pm --help', 'all commands'];
const SAMPLE: Step = ['pm seed --sample small', 'fill it with a sample company of 60'];
const DEMO: Step = ['pm demo', 'a walk through a site that is thrown away'];
const IMPORT: Step = ['pm import people.csv -n', 'rehearse what a file of yours would make'];

type Steps = readonly [heading: string, steps: readonly Step[]];

async function localSteps(io: Streams): Promise<Steps> {
  if (!existsSync(databaseIn(homeOf(io)))) return NO_SITE;
  const { placeOf, withLocal } = await import('../backend.ts');
  return withLocal(placeOf({ io, settings: { database: undefined } }), {}, (session) => siteSteps(session, io));
}

const NO_SITE: Steps = [
  'There is no local site yet. To begin',
  [
    DEMO,
    ['pm seed --sample small', 'a local site with a sample company of 60'],
    ['pm departments create', 'an empty site, and its first department'],
    ['pm profiles add prod --url https://pm.example.com', 'a service that runs already'],
  ],
];

const ENOUGH = 20;

/** By the names that the site has. */
async function siteSteps(session: Session, io: Streams): Promise<Steps> {
  const people = await firstOf(session, contract.individual.operations.list);
  const departments = await firstOf(session, contract.organization.operations.list);
  const person = people.find(({ ID }) => ID !== session.me.id);
  if (!person) return emptySteps(session.me.userName, departments.length > 1);
  const quoted = (name: unknown): string => asTyped(String(name), io);
  const who = quoted(person.UserName);
  return [
    'To begin, on the local site',
    [
      ['pm departments tree', 'how it is built'],
      [`pm individuals show ${who}`, 'all about one of its people'],
      [`pm find ${quoted(person.LastName)}`, 'records by a piece of a name or text'],
      [`pm individuals update ${who} --suffix Dr -n`, 'what a change would do'],
      IMPORT,
      ['pm jobs list', 'what was changed; pm undo takes it back'],
    ],
  ];
}

const emptySteps = (me: string, hasDepartments: boolean): Steps => [
  `${me} is the only individual of the local site. To begin`,
  [...(hasDepartments ? [] : [SAMPLE]), IMPORT, NEW_DEPARTMENT, ['pm individuals create', 'somebody new'], DEMO],
];

const NEW_DEPARTMENT: Step = ['pm departments create', 'a department; what it needs is asked for'];

async function firstOf(session: Session, list: Operation): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of session.list(list, { by: 'plain' }, { limit: ENOUGH })) if (rows.push(row) === ENOUGH) break;
  return rows;
}

function remoteSteps(remote: Remote, io: Streams): Steps {
  const { user, secret } = knownFor(remote, io);
  const where = `${remote.name} (${remote.url})`;
  if (secret === undefined) return [`Nobody is logged in to ${where}. To begin`, [LOG_IN, LOOK, LOCAL_SITE]];
  return knownSteps(`${where} as ${user}`);
}

const knownSteps = (where: string): Steps => [
  `To begin, on ${where}`,
  [
    ['pm whoami', 'whether it knows you'],
    ['pm departments tree', 'how it is built'],
    ['pm individuals list --limit 10', 'its people'],
    IMPORT,
    LOCAL_SITE,
  ],
];

const LOG_IN: Step = ['pm login', 'asks for your password, and keeps a token'];
const LOCAL_SITE: Step = ['pm departments tree -p local', 'the local site instead'];
const LOOK: Step = ['pm doctor', 'whether the service is there'];
