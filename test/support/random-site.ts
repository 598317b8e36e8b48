// Random changes of a site: whatever the engine accepts belongs to a state that it can be in.
import { ServiceError } from '../../src/contract/errors.ts';
import { type Field, isWritable } from '../../src/contract/field.ts';
import { type ResourceName, resourceNamed, storedResources } from '../../src/contract/index.ts';
import type { Resource, Row, Value } from '../../src/contract/resource.ts';
import type { Asker, TestSite } from './site.ts';

type Pick = <T>(from: readonly T[]) => T | undefined;

interface Game {
  readonly site: TestSite;
  readonly random: () => number;
  readonly pick: Pick;
}

const MADE = storedResources.filter(({ operations }) => operations.create?.verb === 'create');
const CHANGED = storedResources.filter(({ operations }) => operations.update?.verb === 'update');
const TEXTS = [
  '  padded ',
  'a\nb',
  '=1+1',
  '<null>',
  '\\<null>',
  '00012',
  'é',
  '"',
  'a;b,c',
  'me',
  '7',
  'name:x',
  'Ω…',
];
const ACTIONS = [
  create,
  create,
  create,
  change,
  change,
  change,
  remove,
  undelete,
  member,
  others,
  settings,
  archive,
  note,
];
const HOUR = 3_600_000;

/** Tries so many random actions, at times and by individuals of their own; answers how many the engine accepted. */
export async function changeRandomly(site: TestSite, seed: number, actions: number): Promise<number> {
  const random = randomOf(seed);
  const game: Game = { site, random, pick: (from) => from[Math.floor(random() * from.length)] };
  let at = Date.parse('2026-05-13T09:00:00Z');
  let accepted = 0;
  for (let count = 0; count < actions; count++) {
    at += Math.ceil(random() * HOUR);
    site.at(new Date(at).toISOString());
    try {
      await game.pick(ACTIONS)?.(game, await somebody(game));
      accepted++;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return accepted;
}

/** The administrator mostly, else anybody who is there. */
async function somebody({ site, random, pick }: Game): Promise<Asker> {
  const user = random() < 0.8 ? undefined : pick(await recordsOf(site, 'individual'))?.UserName;
  return user == null ? site.ada : site.as(user);
}

async function create(game: Game, by: Asker): Promise<unknown> {
  const resource = game.pick(MADE);
  const name = resource?.name as ResourceName;
  const body = { ...(await by.body(name)), ...(await someMembers(game, resource as Resource)) };
  return by.create(name, body);
}

async function change(game: Game, by: Asker): Promise<unknown> {
  const { resource, row } = await anyRecord(game, CHANGED);
  return by.change(resource.name as ResourceName, row.ID, await someMembers(game, resource));
}

async function remove(game: Game, by: Asker): Promise<unknown> {
  const { resource, row } = await anyRecord(
    game,
    storedResources.filter(({ operations }) => operations.delete?.verb === 'delete'),
  );
  return by.delete(resource.name as ResourceName, row.ID);
}

async function undelete(game: Game, by: Asker): Promise<unknown> {
  const { resource, row } = await anyRecord(
    game,
    storedResources.filter(({ operations }) => operations.undelete),
  );
  return by.undelete(resource.name as ResourceName, row.ID);
}

async function member({ site, pick, random }: Game, by: Asker): Promise<unknown> {
  const Group = pick(await recordsOf(site, 'securityGroup'))?.ID ?? null;
  const Individual = pick(await recordsOf(site, 'individual'))?.ID ?? null;
  return by.call('securityGroup', random() < 0.8 ? 'addMember' : 'deleteMember', 'plain', {
    body: { Group, Individual },
  });
}

async function others(game: Game, by: Asker): Promise<unknown> {
  const open = CHANGED.filter((one) => one.open && one.name !== 'site');
  const { resource, row } = await anyRecord(game, open);
  return by.change(resource.name as ResourceName, row.ID, { ShoeSize: game.pick([43, 'large', null, true]) });
}

async function settings(game: Game, by: Asker): Promise<unknown> {
  const name = game.pick(['site', 'siteSetting'] as const) ?? 'site';
  const members = await someMembers(game, resourceNamed(name));
  return by.change(name, game.site.id, { ...members, FeaturePerformance: true, FeatureApi: true });
}

async function archive({ site, pick }: Game, by: Asker): Promise<unknown> {
  const Item = pick(await recordsOf(site, pick(['metric', 'project', 'individual'] as const) ?? 'metric'))?.ID ?? null;
  return by.call('archive', 'take', 'plain', { body: { Item, Name: 'Now' } });
}

async function note({ site, pick }: Game, by: Asker): Promise<unknown> {
  const [role, dialog] = [pick(await recordsOf(site, 'basicRole')), pick(await recordsOf(site, 'dialog'))];
  const of = { basicRole: [role?.ID, dialog?.ID] } as const;
  return by.call('basicRoleDialog', 'update', of, { body: { Description: pick(TEXTS) } });
}

/** One or two members with other values. */
async function someMembers(game: Game, resource: Resource): Promise<Record<string, Value>> {
  const fields = Object.entries(resource.fields).filter(
    ([name, field]) => isWritable(field) && !field.writeOnly && !['ID', 'SiteID', 'UserEmail'].includes(name),
  );
  const members: Record<string, Value> = {};
  for (const one of [game.pick(fields), game.pick(fields)]) if (one) members[one[0]] = await valueFor(game, one[1]);
  return members.Email === undefined ? members : { ...members, UserEmail: members.Email };
}

async function valueFor(game: Game, field: Field): Promise<Value> {
  const { site, random, pick } = game;
  if (random() < 0.15) return null;
  const target = pick(field.to ?? []);
  if (target === 'site') return site.id;
  if (target === 'principal') return pick(await recordsOf(site, 'individual'))?.UserID ?? null;
  if (target !== undefined) return pick(await recordsOf(site, target as ResourceName))?.ID ?? null;
  const number = Math.floor(random() * 100);
  switch (field.kind) {
    case 'boolean':
      return random() < 0.5;
    case 'integer':
    case 'byte':
      return number % 5;
    case 'decimal':
      return number / 8;
    case 'day':
      return pick(['2026-05-01', '2026-06-30T10:00:00+02:00']) ?? null;
    case 'date':
    case 'stamp':
      return pick(['2026-01-31T00:00:00+00:00', '2026-12-01T23:30:00.5-05:00']) ?? null;
    default:
      return (
        pick(field.unique ? [`user${number}`] : field.pattern ? ['c0ffee', 'C0FFEE'] : [...TEXTS, `Word ${number}`]) ??
        null
      );
  }
}

async function anyRecord(game: Game, resources: readonly Resource[]): Promise<{ resource: Resource; row: Row }> {
  const resource = game.pick(resources);
  const rows = resource ? await recordsOf(game.site, resource.name as ResourceName) : [];
  // The command line acts as the administrator.
  const row = game.pick(rows.filter(({ ID }) => ID !== game.site.ada.id));
  if (!resource || !row) throw new ServiceError('not_found', 'no record to choose');
  return { resource, row };
}

/** Deleted ones too. */
async function recordsOf({ ada }: TestSite, resource: ResourceName): Promise<readonly Row[]> {
  return (await ada.session.find.byMembers(resource, {})) ?? [];
}

/** Numbers from 0 to 1, the same for each seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
