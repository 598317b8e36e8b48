// The indexes and references of a table, derived from the contract, so that no query scans a whole site for few records.
import type { Field } from '../../../contract/field.ts';
import type { ResourceName } from '../../../contract/index.ts';
import { addressOf } from '../../../contract/operation.ts';
import { ownersOf } from '../../../contract/record-address.ts';
import { isSoft, type Resource } from '../../../contract/resource.ts';
import { began } from '../sql/counting.ts';
import { quoted } from '../sql/statements.ts';
import { comparedBy, type Schema, type Table } from './tables.ts';

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  /** Columns and expressions as SQL, with `DESC` where they descend. */
  readonly terms: readonly string[];
  readonly where?: string;
  /** The members that clash when a unique index refuses a record. */
  readonly members: readonly string[];
}

type ColumnsOf = Readonly<Partial<Record<ResourceName, readonly string[]>>>;

/** Fields by which the engine looks records up, beyond those that the contract implies. */
const LOOKUPS: ColumnsOf = {
  individual: ['UserID', 'PrimaryReportsTo'],
  commitment: ['PeriodID'],
  archive: ['ItemID', 'AncestorID'],
  organizationMember: ['ReportsToID'],
};
/** Booleans that are rarely true; they get a partial index. */
const FEW: ColumnsOf = { individual: ['IsAdmin'] };

/** The columns that roll-ups read; they get a covering index. A day is compared by its key and as it is written (D13). */
const ROLLED_UP: ColumnsOf = {
  commitment: ['AncestorID', 'PeriodID', 'DeletedByRef', 'Completed'],
  dialog: ['AncestorID', 'DialogDate', 'Deleted', 'DeletedByRef', 'ID'],
  task: ['AncestorID', 'Created', 'EndDateActual', 'Deleted', 'DeletedByRef'],
};

const SITE = quoted('SiteID');

/** Every index of a table, without those that are a prefix of another one. */
export function indexesOf(table: Table): readonly Index[] {
  const all = [...uniques(table), ...owners(table), ...siteOrder(table), ...names(table), ...lookups(table)];
  return all.filter((index) => index.unique || index.where || !all.some((other) => isPrefix(index, other)));
}

/**
 * The foreign keys of a table: fields that must name a record of the target, of the same site. Records that can be removed have none: others may go on naming them (D15). Read-only
 * fields, which the engine writes itself, have none either.
 */
export function referencesOf(schema: Schema, table: Table): readonly { field: string; target: string }[] {
  return Object.entries(table.resource.fields).flatMap(([field, { kind, to = [], rule }]) => {
    const target = schema.tables.find(({ name }) => name === to[0] && name !== 'site');
    const isReference =
      kind !== 'guids' && to.length === 1 && rule !== 'read-only' && target && isNeverRemoved(target.resource);
    return isReference ? [{ field, target: target.name }] : [];
  });
}

const isNeverRemoved = (resource: Resource): boolean =>
  isSoft(resource) || !Object.values(resource.operations).some(({ verb }) => verb === 'delete');

function uniques(table: Table): readonly Index[] {
  const { identity, fields } = table.resource;
  const isTheID = !('ID' in fields);
  if (identity.length === 0 || isTheID) return [];
  const terms = identity.map((name) => (isNullable(fields[name]) ? orNone(table, name) : quoted(name)));
  // The site comes last: with the site first SQLite would scan this index, since it covers the owners.
  return [index(table, 'identity', [...terms, SITE], { unique: true, members: identity })];
}

/** Two records without a value have the same one. */
const orNone = (table: Table, name: string): string =>
  table.dialect.ifNull(quoted(name), comparedBy(table, name).type === 'TEXT' ? "''" : table.dialect.noNumber);

const isNullable = (field: Field | undefined): boolean => field?.nullable === true || field?.rule === 'optional';

/** The owner, then the list's order, so that lists need no sorting and limited ones stop early. */
const owners = (table: Table): readonly Index[] =>
  ownersOf(table.resource).map(({ field }) => index(table, `by_${field}`, [SITE, quoted(field), ...orderTerms(table)]));

const siteOrder = (table: Table): readonly Index[] =>
  isListedBySite(table.resource) ? [index(table, 'in_order', [SITE, ...orderTerms(table)])] : [];

const isListedBySite = (resource: Resource): boolean =>
  Object.values(resource.operations)
    .filter(({ verb }) => verb === 'list')
    .flatMap(({ routes }) => Object.values(routes).map(addressOf))
    .some(({ segments, params }) => segments[0] !== 'me' && params.every((param) => param.toLowerCase() === 'siteid'));

const names = (table: Table): readonly Index[] =>
  table.keys
    .filter(({ from }) => table.resource.names.includes(from))
    .map((key) => index(table, `by_${key.from}`, [SITE, quoted(key.name)]));

function lookups(table: Table): readonly Index[] {
  const name = table.name as ResourceName;
  const plain = (LOOKUPS[name] ?? []).filter((field) => table.columns.some(({ name }) => name === field));
  const few = (FEW[name] ?? []).filter((field) => field in table.resource.fields);
  const rolledUp = (ROLLED_UP[name] ?? []).flatMap((field) => {
    const key = quoted(comparedBy(table, field).name);
    return table.resource.fields[field]?.kind === 'day' ? [key, quoted(field)] : [key];
  });
  const byBegin = table.name === 'project' ? [index(table, 'by_begin', [SITE, began(table.dialect)])] : [];
  return [
    ...plain.map((field) => index(table, `by_${field}`, [SITE, quoted(comparedBy(table, field).name)])),
    ...few.map((field) => index(table, `by_${field}`, [SITE, quoted(field)], { where: `${quoted(field)} = 1` })),
    ...byBegin,
    ...(rolledUp.length > 0 ? [index(table, 'in_roll_up', [SITE, ...rolledUp])] : []),
  ];
}

function index(table: Table, name: string, terms: readonly string[], more: Partial<Index> = {}): Index {
  return { name: `${table.name}_${name}`, unique: false, members: [], terms, ...more };
}

/** A record without a value comes first. */
const orderTerms = ({ order, dialect }: Table): readonly string[] =>
  order.map(({ column, down }) => dialect.ordered(quoted(column), down));

const isPrefix = (short: Index, long: Index): boolean =>
  short !== long &&
  !long.where &&
  long.terms.length > short.terms.length &&
  short.terms.every((t, i) => t === long.terms[i]);
