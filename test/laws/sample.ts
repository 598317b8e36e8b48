// Bodies made from the contract's fields alone: every writable member has a value, so that a new field is tested unasked.
import type { Session } from '../../src/contract/call.ts';
import { type Field, isWritable, type Kind } from '../../src/contract/field.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import type { Resource, Row, Value } from '../../src/contract/resource.ts';
import { ROLES } from '../../src/engine/records/defaults.ts';

/** Two different values of each kind. */
const VALUES: Readonly<Record<Exclude<Kind, 'guid' | 'guids'>, readonly [Value, Value]>> = {
  text: ['Abc', 'Xyz'],
  integer: [3, 4],
  byte: [30, 40],
  decimal: [1.5, 2.5],
  boolean: [true, false],
  date: ['2026-05-20T00:00:00+00:00', '2026-05-21T00:00:00+00:00'],
  day: ['2026-05-20', '2026-05-21'],
  stamp: ['2026-05-20T00:00:00+00:00', '2026-05-21T00:00:00+00:00'],
  bytes: ['AAEC', 'AwQF'],
};

/** What no kind can tell. */
const PARTICULAR: Readonly<Record<string, Value>> = {
  'teamMember RoleID': ROLES[0].ID,
  'color Code': '2e9e4f',
  'individual Password': 'Correct-horse-1',
  'project Color': '2e9e4f',
  'metric TColor1': '2e9e4f',
  'metric TColor2': '2e9e4f',
  'metric TColor3': '2e9e4f',
  'metric TColor4': '2e9e4f',
  // Switched off it would end the story over the endpoint (D3).
  'site FeatureApi': true,
  // A primary membership cannot be deleted.
  'organizationMember Primary': false,
};

/** A value of the field; the second one differs from the first, so that a record can be changed. */
export function sampleValue(resource: Resource, name: string, which: 0 | 1): Value {
  const field = resource.fields[name] as Field;
  if (field.nullOnly || field.nullable) return null;
  const particular = PARTICULAR[`${resource.name} ${name}`];
  if (particular !== undefined) return particular;
  if (field.choices) return Number(Object.keys(field.choices)[which]);
  return field.kind === 'guid' || field.kind === 'guids' ? null : VALUES[field.kind][which];
}

/** A whole body, but for the ID and for what would put a record below another one of its kind. */
export async function sampleBody(session: Session, resource: Resource): Promise<Row> {
  const body: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (name === 'ID' || (field.rule === 'optional' && field.to?.includes(resource.name))) continue;
    if (!isWritable(field) && !field.nullOnly) continue;
    body[name] = field.to && !field.nullOnly ? await somethingOf(session, field.to) : sampleValue(resource, name, 0);
  }
  return body;
}

const PREFERRED = ['site', 'individual', 'securityGroup'];

/** Of the resources that a field may name, the one that samples do. */
export const sampledTarget = (targets: readonly string[]): string =>
  PREFERRED.find((one) => targets.includes(one)) ?? String(targets[0]);

/** The ID of a record that such a field may name: the caller, their site, or one that is made for it. */
async function somethingOf(session: Session, targets: readonly string[]): Promise<Value> {
  const target = sampledTarget(targets);
  if (target === 'site') return session.me.site;
  if (target === 'individual') return session.me.id;
  const made = resourceNamed(target);
  const { create } = made.operations;
  if (!create) throw new Error(`nothing makes a ${made.name} that a body could name`);
  return (await session.call(create, { body: await sampleBody(session, made) })).ID ?? null;
}

/** The members that a PUT may change, and that show in the answer as they were sent. */
export const changeable = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([name, field]) => name !== 'ID' && isWritable(field) && !field.to && !field.writeOnly && !field.unique)
    .map(([name]) => name)
    .filter((name) => sampleValue(resource, name, 0) !== sampleValue(resource, name, 1));
