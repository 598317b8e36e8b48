// How the contract's names are written on the command line: one table, both ways.
import { type Field, isWritable } from '../contract/field.ts';
import { isImmutable, listAddresses, placeMembers } from '../contract/record-address.ts';
import type { Resource } from '../contract/resource.ts';
import { GLOBAL_WORDS } from './globals.ts';

/** `UserDefined1` as a flag writes it: user-defined1. */
export const kebab = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

/** `--primary-title` as commander hands it over: primaryTitle. */
export const camel = (flag: string): string =>
  flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Words for what an owner flag names, where it is not the resource's own name. */
const KINDS: Readonly<Record<string, string>> = {
  organization: 'department',
  securityGroup: 'security-group',
  basicRole: 'basic-role',
};

/** The flag that names a record of that resource: --department. */
export const kindFlag = (target: string): string => KINDS[target] ?? kebab(target);

/** A flag that sets a field of a body. */
export interface FieldFlag {
  /** Without the dashes. */
  readonly flag: string;
  readonly name: string;
  readonly field: Field;
  /** What its value may name; empty for a plain value. */
  readonly targets: readonly string[];
}

/** The flags of a resource's writable fields, in the contract's order. An owner has one flag for each kind of owner. */
export function fieldFlags(resource: Resource): readonly FieldFlag[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    hasFlag(name, field) ? flagsOf(resource, name, field) : [],
  );
}

/** Members that pm fills in itself have no flag: the site, the old spelling of the e-mail; a secret is read from a file. */
const hasFlag = (name: string, field: Field): boolean =>
  isWritable(field) && !field.writeOnly && name !== 'SiteID' && name !== 'UserEmail';

function flagsOf(resource: Resource, name: string, field: Field): readonly FieldFlag[] {
  const targets = (field.to ?? []).filter((target) => target !== 'site');
  if (field.owner && name !== 'ParentID' && name !== 'PrincipalID') {
    return targets.map((target) => ({ flag: kindFlag(target), name, field, targets: [target] }));
  }
  const word = kebab(targets.length > 0 ? name.replace(/ID$/, '') : name);
  return [{ flag: GLOBAL_WORDS.has(word) ? `${kebab(resource.name)}-${word}` : word, name, field, targets }];
}

/** The flags that say whose record is meant, by flag, where its name or the service's lists need it. */
export function ownerFlags(resource: Resource): ReadonlyMap<string, FieldFlag> {
  const narrows = resource.names.length > 0 ? Object.keys(resource.fields) : listedMembers(resource);
  const flags = fieldFlags(resource).filter(
    ({ name, field, targets }) => isImmutable(field) && targets.length > 0 && narrows.includes(name),
  );
  return new Map(flags.map((flag) => [flag.flag, flag]));
}

/** The members by which lists alone show records of the resource. */
function listedMembers(resource: Resource): readonly string[] {
  const filled = listAddresses(resource, 0).flatMap((address) => address.filled.map(({ member }) => member));
  return placeMembers(resource).filter((name) => filled.includes(name));
}
