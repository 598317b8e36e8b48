// The owners from which a record inherits rights, the numbers of ChildType, and the questions about rights (D19, D20).
import { oncePer } from '../text/once-per.ts';
import { textKey } from '../text/text-key.ts';
import { everyResource, resources } from './index.ts';
import type { RecordNamed } from './next.ts';
import type { Action, ChildType, Resource, Row } from './resource.ts';
import { HOLDERS } from './resources/permissions.ts';

/** Are the records of an individual hidden from others by default? */
export const isPrivate = ({ rights: { unset } }: Resource): boolean => unset === 'private' || unset === 'authored';

/** Rights are inherited from the record that this member names: one of these resources. */
interface Inheritance {
  readonly field: string;
  readonly targets: readonly string[];
}

/** The members from which a resource inherits rights, the first one first; the site, the last one, is left out. */
export const inheritanceOf = oncePer(({ rights: { from }, fields }: Resource): readonly Inheritance[] => {
  if ('member' in from) return [{ field: from.member, targets: from.kinds }];
  return from.map((field) => ({ field, targets: (fields[field]?.to ?? []).filter((target) => target !== 'site') }));
});

/** A record of this resource can be created in records of these kinds, from which it inherits; none where it cannot. */
export const createdIn = oncePer((resource: Resource): readonly string[] => {
  const { from } = resource.rights;
  if (!resource.operations.create || 'member' in from) return [];
  const isInSite = from.length === 0 || from.some((field) => resource.fields[field]?.to?.includes('site'));
  return [...(isInSite ? ['site'] : []), ...new Set(inheritanceOf(resource).flatMap(({ targets }) => targets))];
});

/** The resources with records and rights of their own. */
export const judged = resources.filter(({ unstored, rights }) => !unstored && rights.unset !== 'none');

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete', 'delegate'];

/** Rights are given on few resources; of the others it means nothing to delegate. */
export const actionsOf = ({ name, operations }: Resource): readonly Action[] =>
  ACTIONS.filter((action) => {
    if (action === 'read') return operations.get || operations.list;
    return action === 'delegate' ? (HOLDERS as readonly string[]).includes(name) : operations[action];
  });

/** All that one may be allowed to do with a record: the actions on it, and the creation of others in it. */
export const wishesOn = oncePer((resource: Resource): readonly { readonly action: Action; readonly of: Resource }[] => [
  ...actionsOf(resource).flatMap((action) => (action === 'create' ? [] : [{ action, of: resource }])),
  ...judged.flatMap((of) => (createdIn(of).includes(resource.name) ? [{ action: 'create' as const, of }] : [])),
]);

interface NumberedType extends ChildType {
  readonly resource: Resource;
  readonly type: string;
}

const all: readonly NumberedType[] = everyResource
  .flatMap((resource) => (resource.rights.childTypes ?? []).map((one) => ({ resource, type: resource.name, ...one })))
  .sort((one, other) => one.number - other.number);
const byNumber: ReadonlyMap<unknown, NumberedType> = new Map(all.map((one) => [one.number, one]));

/** The types by number; any other number is stored as null. */
export const CHILD_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  all.map(({ number, type }) => [number, type]),
);

export const CHILD_TYPE_NAMES = [...new Set(Object.values(CHILD_TYPES))].join(', ');

/** The number of a type that is written by its name or number. */
export function childTypeNumber(text: string): number | undefined {
  const isMeant = ([number, type]: [string, string]) => number === text || textKey(type) === textKey(text);
  const [number] = Object.entries(CHILD_TYPES).find(isMeant) ?? [];
  return number === undefined ? undefined : Number(number);
}

export const means = (number: unknown, type: string): boolean => byNumber.get(number)?.type === type;

/** Does an Allow with this number count on a record of this kind? */
export const countsOn = (number: unknown, kind: string): boolean =>
  kind === 'site' || (byNumber.get(number)?.below ?? kind) === kind;

/** The number of a type on a record of this kind: a type may have one for each kind of owner. */
export function childTypeOn(type: string, kind: string): number | undefined {
  const numbers = all.filter((one) => one.type === type);
  return (numbers.find(({ below }) => below === kind) ?? numbers[0])?.number;
}

/** The numbers of types that can stand right below a record of this kind; of the site every one. */
export const childTypesOn = (kind: string): readonly number[] =>
  all
    .filter(({ resource, number }) => countsOn(number, kind) && mayBeBelow(resource, kind))
    .map(({ number }) => number);

const mayBeBelow = (resource: Resource, kind: string): boolean =>
  kind === 'site' || inheritanceOf(resource).some(({ targets }) => targets.includes(kind));

/** An action on a record, or the creation of one in an owner. */
export interface RightsWish {
  readonly action: Action;
  readonly resource: string;
  readonly id?: string;
  readonly in?: RecordNamed;
}

export interface RightsQuestion extends RightsWish {
  /** The ID of an individual. */
  readonly who: string;
}

/**
 * It is decided by a label of the operation, the restriction to global administrators, the missing right to read, a permission
 * row, or the default without one.
 */
export type RightsBasis = 'administrator' | 'label' | 'global' | 'unread' | 'row' | 'default';

/** The default allows it as the individual itself or the one it belongs to, as one above that, as its author, as anyone. */
export type RightsRole = 'self' | 'manager' | 'author' | 'everybody';

export interface RightsVerdict {
  readonly allowed: boolean;
  readonly by: RightsBasis;
  /** Where the default allows it. */
  readonly role?: RightsRole | undefined;
  /** Members that may not be changed in spite of the right. */
  readonly except: readonly string[];
  readonly who: string;
  readonly object: string;
  /** From the object up to the site, each once; the first with a state decides. */
  readonly steps: readonly {
    readonly object: string;
    /** 0 nothing, 1 allowed, 2 denied. */
    readonly state: number;
    /** The permission rows that were checked, in this order, and the IDs of those that set the state. */
    readonly rows: readonly Row[];
    readonly deciding: readonly string[];
  }[];
}

export interface RightsHolder {
  readonly individual: Row;
  readonly verdict: RightsVerdict;
}

/** The rights of an individual on the records of one resource. */
export interface KindRights {
  readonly resource: string;
  /** How many records there are, and how many in which one could be created. */
  readonly records: number;
  readonly owners: number;
  /** The actions that the resource has; `sources` has the allowed ones. */
  readonly actions: readonly Action[];
  readonly sources: readonly RightsSource[];
}

/** How many records something allows an action on. */
export interface RightsSource extends Pick<RightsVerdict, 'by' | 'role'> {
  readonly action: Action;
  readonly count: number;
  /** The record that the deciding permission rows are on, and these rows. */
  readonly on?: string;
  readonly rows: readonly Row[];
}

/** A record as far as rights depend on it. Records are named by their kind and their ID. */
export interface PicturedRecord extends RecordNamed {
  readonly live: boolean;
  readonly name: string;
  /** Another one where rights may be others by what the record says. */
  readonly sign: string;
  /** Those from which it may inherit, and the manager of an individual. */
  readonly above: readonly string[];
}

export interface PicturedPerson {
  readonly administrates: string;
  /** The permissions, by the record that they are on. */
  readonly grants: ReadonlyMap<string, string>;
}

/** What decides the rights of everybody at one moment. */
export interface RightsPicture {
  /** Deleted ones too. */
  readonly records: ReadonlyMap<string, PicturedRecord>;
  /** The live individuals, by their ID. */
  readonly people: ReadonlyMap<string, PicturedPerson>;
}

/** Records by the ID of the individual whose rights on them are asked about. */
export type RightsPairs = ReadonlyMap<string, readonly RecordNamed[]>;

/** Whether something is allowed, and why it is, or which permission denies it. */
export interface RightsReason extends Partial<Pick<RightsVerdict, 'by' | 'role'>> {
  readonly allowed: boolean;
  readonly place?: string;
}
