// Every flag of every command of the contract, each with a command line that has it and the place where its value must arrive.
import { demandedFlags } from '../../src/cli/input/required.ts';
import { type FieldFlag, fieldFlags, kebab, ON_SITE, ownerFlags } from '../../src/cli/names.ts';
import { type AddressFlag, type AddressPlan, listsDeleted, plansOf } from '../../src/cli/selectors/addresses.ts';
import { type Operation, takesBody } from '../../src/contract/operation.ts';
import type { Resource, Row } from '../../src/contract/resource.ts';
import { CHILD_TYPES } from '../../src/contract/rights.ts';
import { NAMED, sampleOf, typedOf } from './flag-sample.ts';
import type { Heard } from './recording.ts';

export interface FlagCase {
  readonly verb: string;
  /** As it is written: `--period`. */
  readonly flag: string;
  /** The words behind the verb. */
  readonly line: readonly string[];
  /** Has the value arrived in this call? `refused` where the command must not take it. */
  readonly arrives: ((heard: Heard) => boolean) | 'refused';
  /** The members by which the record that is meant differs from another one of the same name. */
  readonly owner?: string;
}

const NAME = 'Twin';
const GUID = '0f8fad5b-4444-469f-a165-70867728950e';
const OTHER = '0f8fad5b-5555-469f-a165-70867728950e';
const ZONE = 'Europe/Berlin';
/** What stands on stdin, and in the file of a password. */
export const SECRET = 'canary-7';

/** The files that command lines of the cases name, by their names. */
export const filesFor = (resource: Resource): Readonly<Record<string, string>> => ({
  password: SECRET,
  'members.json': JSON.stringify(Object.fromEntries(plainFlags(resource).map((flag) => [flag.name, typed(flag)]))),
});

const idOf = (resource: Resource): string => (resource.id === 'integer' ? '4711' : GUID);

/** What the service answers in such a case: the record that is meant, and another one of the same name. */
export function answersFor(resource: Resource, { owner }: FlagCase): { record: Row; other: Row } {
  const names = Object.fromEntries(resource.names.map((name) => [name, NAME]));
  const ids = resource.id === 'integer' ? [4711, 4712] : [GUID, OTHER];
  return {
    record: { ...names, ID: ids[0] ?? null, ...(owner === undefined ? {} : { [owner]: NAMED }) },
    other: { ...names, ID: ids[1] ?? null, ...(owner === undefined ? {} : { [owner]: OTHER }) },
  };
}

/** The cases of all commands of a resource. */
export function casesOf(resource: Resource): readonly FlagCase[] {
  const { get } = resource.operations;
  const operations = Object.values(resource.operations).filter(
    ({ verb, name }) => verb !== 'local' && verb !== 'unsupported' && name !== 'get',
  );
  return [
    ...operations.flatMap((operation) => casesOfCommand(resource, operation)),
    ...(get ? readingCases(resource, get, 'get') : []),
    ...owned(resource, 'get', get),
  ];
}

function casesOfCommand(resource: Resource, operation: Operation): readonly FlagCase[] {
  const verb = kebab(operation.name);
  if (!operation.writes) return readingCases(resource, operation, verb);
  return takesBody(operation) ? bodyCases(resource, operation, verb) : turnCases(resource, operation, verb);
}

function readingCases(resource: Resource, operation: Operation, verb: string): readonly FlagCase[] {
  return plansOf(resource, operation)
    .filter(({ own, flags }) => own === undefined || flags.every(({ place }) => place === 'query'))
    .flatMap((plan) => [
      ...addressCases(resource, plan, verb),
      ...marks(resource, plan, verb),
      ...globals(resource, plan, verb),
    ]);
}

/** The flags of one address: each with those that the address needs besides. Those that fill the same place are told apart by their values. */
const addressCases = (resource: Resource, plan: AddressPlan, verb: string): readonly FlagCase[] =>
  plan.flags
    .filter(({ place }) => plan.own === undefined || place === 'query')
    .map((flag) => ({
      verb,
      flag: `--${flag.flag}`,
      line: [...needed(resource, plan, flag), `--${flag.flag}`, addressed(flag)],
      arrives: ({ input }) =>
        Object.values({ ...input.params, ...input.query }).some((value) => String(value) === addressed(flag)),
    }));

/** The flags that are no value, but choose an address; one of the site may stand for it. */
const marks = (resource: Resource, plan: AddressPlan, verb: string): readonly FlagCase[] =>
  marksOf(plan).map((flag) => ({
    ...{ verb, flag, line: needed(resource, plan) },
    arrives: ({ input }) => (flag === '--mine' ? input.by === plan.route : /rganizations$/.test(input.by ?? '')),
  }));

const marksOf = (plan: AddressPlan): readonly string[] => [
  ...(plan.mine ? ['--mine'] : []),
  ...(/rganizations$/.test(plan.route) ? ['--organizations'] : []),
];

/** The words without which a line does not mean this address. */
export function needed(resource: Resource, plan: AddressPlan, but?: AddressFlag): readonly string[] {
  const path = plan.flags.filter(({ place, param }) => place === 'path' && param !== but?.param);
  return [
    ...(plan.own === undefined ? [] : [idOf(resource)]),
    ...path.flatMap((flag) => [`--${flag.flag}`, addressed(flag)]),
    ...marksOf(plan),
  ];
}

const WORDS: Readonly<Record<string, string>> = { type: 'department', 'metric-type': 'min' };

/** Each flag that names a record names another one. */
function addressed({ flag, field, targets }: AddressFlag): string {
  if (flag === 'child-type') return Object.keys(CHILD_TYPES)[0] as string;
  if (targets.length === 0) return WORDS[flag] ?? sampleOf(field, targets);
  return targets[0] === 'period'
    ? '7'
    : `${NAMED.slice(0, 24)}${Buffer.from(flag).toString('hex').slice(0, 12).padEnd(12, '0')}`;
}

/** The flags of every command that end in the query of an address. */
function globals(resource: Resource, plan: AddressPlan, verb: string): readonly FlagCase[] {
  const line = needed(resource, plan);
  // Without an owner deleted ones of all owners are listed, out of their lists.
  const inList =
    (verb === 'get' && plan.own !== undefined) ||
    (verb === 'list' && line.length === 0 && listsDeleted(resource, true));
  return [
    ...(plan.query.has('tz') ? [zoned(verb, line)] : []),
    ...(inList
      ? []
      : [
          {
            ...{ verb, flag: '--deleted', line: [...line, '--deleted', '1'] },
            arrives: plan.query.has('deleted')
              ? ({ input }: Heard) => input.query?.deleted === 1
              : ('refused' as const),
          },
        ]),
  ];
}

const zoned = (verb: string, line: readonly string[]): FlagCase => ({
  ...{ verb, flag: '--tz', line: [...line, '--tz', ZONE] },
  arrives: ({ input }) => input.query?.tz === ZONE,
});

/** Commands whose flags make a body. */
function bodyCases(resource: Resource, operation: Operation, verb: string): readonly FlagCase[] {
  const plan = plansOf(resource, operation)[0] as AddressPlan;
  const creates = operation.verb === 'create' || operation.many;
  const demanded = creates ? demandedFlags(resource).flatMap((group) => group.slice(0, 1)) : [];
  const base = (but?: string): readonly string[] => [
    ...needed(resource, plan),
    ...demanded.filter(({ name }) => name !== but).flatMap((flag) => [`--${flag.flag}`, written(flag)]),
  ];
  const isCall = (heard: Heard): boolean => heard.operation === operation;
  const inBody = (name: string, value: unknown) => (heard: Heard) =>
    isCall(heard) && JSON.stringify(heard.input.body?.[name]) === JSON.stringify(value);
  const [plain] = plainFlags(resource) as [FieldFlag];
  const ways: readonly (readonly [string, string, unknown, readonly string[]])[] = [
    ['--set', plain.name, typed(plain), [`${plain.name}=${written(plain)}`]],
    ['--clear', plain.name, null, [plain.name]],
    ['--from', plain.name, typed(plain), ['members.json']],
    ...('Password' in resource.fields
      ? ([
          ['--new-password-file', 'Password', SECRET, ['password']],
          ['--new-password-stdin', 'Password', SECRET, []],
        ] as const)
      : []),
  ];
  const patch = creates ? [] : [`--${plain.flag}`, written(plain)];
  return [
    ...valueFlags(resource).map((flag) => ({
      ...{ verb, flag: `--${flag.flag}`, line: [...base(flag.name), `--${flag.flag}`, written(flag)] },
      ...(ownerFlags(resource).has(flag.flag) ? { owner: flag.name } : {}),
      // What an address holds is not told twice.
      arrives: (heard: Heard) =>
        inBody(flag.name, typed(flag))(heard) || Object.values(heard.input.params ?? {}).includes(written(flag)),
    })),
    ...ways.map(([flag, name, value, words]) => ({
      ...{ verb, flag, line: [...base(name), flag, ...words] },
      arrives: inBody(name, value),
    })),
    ...(plan.query.has('tz') ? [zoned(verb, [...base(), ...patch])] : []),
  ];
}

const valueFlags = (resource: Resource): readonly FieldFlag[] =>
  fieldFlags(resource).filter(({ flag }) => flag !== ON_SITE);

/** Flags of plain values, which need nothing else. */
const plainFlags = (resource: Resource): readonly FieldFlag[] =>
  fieldFlags(resource).filter(({ field, targets, name }) => targets.length === 0 && name !== 'ID' && !field.choices);

const written = ({ field, targets }: FieldFlag): string => sampleOf(field, targets);
const typed = ({ field, targets }: FieldFlag): unknown => typedOf(field, targets);

/** Commands about records as they stand. */
function turnCases(resource: Resource, operation: Operation, verb: string): readonly FlagCase[] {
  const { get } = resource.operations;
  const plans = plansOf(resource, operation);
  const ends = get ? plansOf(resource, get).filter(({ own }) => own === undefined) : [];
  return [
    ...plans.filter(({ query }) => query.has('tz')).map((plan) => zoned(verb, needed(resource, plan))),
    ...ends.flatMap((plan) => addressCases(resource, plan, verb)),
    ...owned(resource, verb, operation),
  ];
}

/** Flags that say which of several records of the same name is meant, or where one without a name is looked for. */
const owned = (resource: Resource, verb: string, operation: Operation | undefined): readonly FlagCase[] =>
  [...(takesName(resource, operation) ? ownerFlags(resource) : [])].map(([flag, { name }]) => ({
    ...{ verb, flag: `--${flag}`, line: [calledIn(resource), `--${flag}`, NAMED], owner: name },
    arrives: ({ operation: called, input }) =>
      resource.names.length === 0
        ? input.params?.[name] === NAMED
        : called === operation && Object.values(input.params ?? {}).includes(idOf(resource)),
  }));

/** Is the record of the command named by its ID or name, not by its ends alone? */
const takesName = (resource: Resource, operation: Operation | undefined): boolean =>
  operation !== undefined && (resource.names.length > 0 || plansOf(resource, operation).some(({ own }) => own));

const calledIn = (resource: Resource): string => (resource.names.length === 0 ? idOf(resource) : NAME);
