// How the contract's names are written on the command line, in both directions.
import { ServiceError } from '../contract/errors.ts';
import { type Field, isWritable, type Kind, mayBelongToSite } from '../contract/field.ts';
import { resourceNamed, resources } from '../contract/index.ts';
import { isImmutable, listAddresses, placeMembers } from '../contract/record-address.ts';
import type { Resource } from '../contract/resource.ts';
import { didYouMean } from '../text/spelling.ts';
import { GLOBAL_WORDS } from './globals.ts';
import { foreignResource } from './usage/foreign-words.ts';

/** `UserDefined1` as a flag writes it: user-defined1. */
export const kebab = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

/** `primary-title` as commander's option key: primaryTitle. */
export const camel = (flag: string): string =>
  flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The resource of the records that a field or a flag names; a principal is given as an individual. */
export const targetResource = (target: string): Resource =>
  resourceNamed(target === 'principal' ? 'individual' : target);

/** Flags of resources that are not called by the resource's own name. */
const KINDS: Readonly<Record<string, string>> = {
  organization: 'department',
  securityGroup: 'security-group',
  basicRole: 'basic-role',
};

/** The flag that names a record of that resource: --department. */
export const kindFlag = (target: string): string => KINDS[target] ?? kebab(target);

export interface FieldFlag {
  /** Without the dashes. */
  readonly flag: string;
  readonly name: string;
  readonly field: Field;
  /** The resources that its value may name; empty for a plain value. */
  readonly targets: readonly string[];
}

/** A flag as it is written, with the form of its value. */
export const flagText = ({ flag, field, targets }: Pick<FieldFlag, 'flag' | 'field' | 'targets'>): string =>
  flag === ON_SITE ? `--${flag}` : `--${flag} ${valueForm(field, targets)}`;

const FORMS: Readonly<Record<Kind, string>> = {
  guid: '<id>',
  guids: '<ids>',
  text: '<text>',
  integer: '<n>',
  byte: '<n>',
  decimal: '<number>',
  boolean: '[true|false]',
  date: '<yyyy-mm-dd>',
  day: '<yyyy-mm-dd>',
  stamp: '<yyyy-mm-dd>',
  bytes: '<@file>',
};

function valueForm({ kind, choices, nullable }: Field, targets: readonly string[]): string {
  if (targets.length > 0) return kind === 'guids' ? '<refs>' : '<ref>';
  // A type of children (D20).
  if (nullable) return '<type>';
  if (!choices) return FORMS[kind];
  return `<${Object.values(choices).map(choiceWord).join('|')}>`;
}

/** A choice of a field as a command line writes it: `not-set`. */
export const choiceWord = (word: string): string => word.toLowerCase().replaceAll(' ', '-');

/** The flags of a resource's writable fields, in the contract's order. An owner has one flag for each kind of owner. */
export function fieldFlags(resource: Resource): readonly FieldFlag[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    hasFlag(name, field) ? flagsOf(resource, name, field) : [],
  );
}

/** Members that pm fills in have no flag: the site, the deprecated e-mail. Secrets are read from a file. */
const hasFlag = (name: string, field: Field): boolean =>
  isWritable(field) && !field.writeOnly && name !== 'SiteID' && name !== 'UserEmail';

/** Names the site as the owner, which nothing else means (D38). It takes no value. */
export const ON_SITE = 'on-site';

function flagsOf(resource: Resource, name: string, field: Field): readonly FieldFlag[] {
  const targets = (field.to ?? []).filter((target) => target !== 'site');
  if (field.owner && name !== 'ParentID' && name !== 'PrincipalID') {
    const ofSite = mayBelongToSite(field) ? [{ flag: ON_SITE, name, field, targets: ['site'] }] : [];
    return [...targets.map((target) => ({ flag: kindFlag(target), name, field, targets: [target] })), ...ofSite];
  }
  const word = kebab(targets.length > 0 ? name.replace(/ID$/, '') : name);
  return [{ flag: GLOBAL_WORDS.has(word) ? `${kebab(resource.name)}-${word}` : word, name, field, targets }];
}

/**
 * The flags that name the owner of a record, by flag, where its name or the service's lists need one. `updating`: an owner
 * that can change is a value there, and no place to look in.
 */
export function ownerFlags(resource: Resource, { updating = false } = {}): ReadonlyMap<string, FieldFlag> {
  const listed = listedMembers(resource);
  const narrows = resource.names.length > 0 ? Object.keys(resource.fields) : listed;
  const says = ({ name, field }: FieldFlag): boolean =>
    isImmutable(field) ? narrows.includes(name) : !updating && listed.includes(name);
  const flags = fieldFlags(resource).filter((flag) => flag.targets.length > 0 && flag.flag !== ON_SITE && says(flag));
  return new Map(flags.map((flag) => [flag.flag, flag]));
}

/** The owner members that the lists of the resource are addressed by. */
function listedMembers(resource: Resource): readonly string[] {
  const filled = listAddresses(resource, 0).flatMap((address) => address.filled.map(({ member }) => member));
  return placeMembers(resource).filter((name) => filled.includes(name));
}

/** The resource of which one name fits: its command, an alias, its name or its type. */
export const findResource = (fits: (name: string) => boolean): Resource | undefined =>
  resources.find(({ command, aliases, name, type }) => [command, ...aliases, name, type].some(fits));

/**
 * Finds a resource by its command, an alias, or its type. `before` precedes the name in the hint, `otherwise` is the hint
 * where no name is near. Throws `usage`.
 */
export function resourceCalled(name: string, before = ': ', otherwise = 'pm --help lists the resources.'): Resource {
  const wanted = name.toLowerCase();
  const found = findResource((one) => one.toLowerCase() === wanted);
  if (found) return found;
  const known = resources.flatMap((one) => [one.command, ...one.aliases]);
  throw new ServiceError('usage', `there is no resource "${name}"`, {
    hint: didYouMean(foreignResource(wanted) ?? name, known, otherwise, before),
  });
}
