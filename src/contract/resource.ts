// A resource of the service as a value.
import type { Field, Fields, Source } from './field.ts';
import type { Operations } from './operation.ts';
import { withMeanings } from './resources/meanings.ts';

export interface Resource<F extends Fields = Fields, O extends Operations = Operations> {
  /** Singular, as code names it: `basicRole`. */
  readonly name: string;
  /** Plural and kebab-case, as the command line names it: `basic-roles`. */
  readonly command: string;
  /** Other names of the command, the singular first. */
  readonly aliases: readonly string[];
  /** The document's type name and XML root: `BasicRole`. */
  readonly type: string;
  /** One sentence for people. */
  readonly doc: string;
  readonly source: Source;
  readonly fields: F;
  readonly operations: O;
  /** The path segments behind which this resource's ID stands: `/departments/{id}`. */
  readonly segments: readonly string[];
  /** From which owners its records inherit rights, and the rights without a permission (D19). */
  readonly rights: Rights;
  readonly id: 'guid' | 'integer';
  /** The fields that together identify a record, as the two ends of a membership do. */
  readonly identity: readonly string[];
  /**
   * The order of lists (D16): `-` means descending, `IndividualID.Name` that of the individual which is named; the ID comes last.
   * `tree`: each record below its parent.
   */
  readonly order: readonly string[] | 'tree';
  /** Fields with texts that name a record; each is tried by itself. */
  readonly names: readonly string[];
  /** The natural key, which matches rows of a file with records. */
  readonly key: readonly string[];
  /** The fields that a table shows of a list. */
  readonly columns: readonly string[];
  /** The list of fields is incomplete in the document: unknown members are kept and answered (D11). */
  readonly open: boolean;
  /** The service's number for this type, where it has one. */
  readonly rowType: number | undefined;
  /** It has no table and no commands. */
  readonly hidden?: true;
  /** Its records are computed when they are read: it has commands, and no table. */
  readonly unstored?: true;
  /** The order of the members in XML, where it is not the order of the fields (D23). */
  readonly xmlOrder?: readonly string[];
}

/** A right allows one action; `delegate` is to give rights to others (D19). */
export type Action = 'create' | 'read' | 'update' | 'delete' | 'delegate';

/** The rights without a deciding permission. Only administrators may do all else. */
export type Unset =
  /** Every individual of the site reads. */
  | 'open'
  /** The individual it belongs to reads, and those it reports to; every individual where it belongs to none. */
  | 'private'
  /** Every individual reads; the one it belongs to creates, updates and deletes. */
  | 'own list'
  /** Every individual reads; the individual itself updates. */
  | 'own record'
  /** As `private`, and the author reads, updates and deletes; who reads the owner creates. */
  | 'authored'
  /** Every action needs the right to delegate on the owner. */
  | 'delegated'
  /** There are no records. */
  | 'none';

/** A number by which permissions on an owner mean records of this resource below it. */
export interface ChildType {
  readonly number: number;
  /** An Allow counts only on the site and on this kind of owner; a Deny counts everywhere. */
  readonly below?: string;
  /** The type, where one resource has several. */
  readonly type?: string;
}

/** A member that is no owner field and still names the owner, and the kinds of records that it may name. */
interface OwnerMember {
  readonly member: string;
  readonly kinds: readonly string[];
}

/** The rights on the records of a resource (D19), as plain data. */
export interface Rights<Name extends string = string> {
  /** The owner fields from which rights are inherited; the first that is set counts. Without one, the site's rights count. */
  readonly from: readonly Name[] | OwnerMember;
  readonly unset: Unset;
  readonly childTypes?: readonly ChildType[];
  /** The child types of that resource mean this one, too. */
  readonly countsAs?: string;
}

/** By default the alias is the name in kebab-case, and the type the name with a capital letter. */
type Defaulted = 'aliases' | 'type' | 'source' | 'segments' | 'id' | 'open' | 'rowType' | 'hidden' | 'unstored';

/** A resource before its defaults; lists of members are checked against its fields. */
interface Description<F extends Fields, O extends Operations, Member extends string = keyof F & string>
  extends Pick<Resource, 'name' | 'command' | 'doc'>,
    Partial<Pick<Resource, Defaulted>> {
  /** Where the document has none of its operations: the source of those that name no other. */
  operationSource?: Source;
  fields: () => F;
  operations: () => O;
  rights: Rights<Member>;
  identity?: readonly Member[];
  order?: readonly (Member | `-${Member}` | `${Member}.${string}`)[] | 'tree';
  names?: readonly Member[];
  /** By default `identity`. */
  key?: readonly Member[];
  columns: readonly Member[];
  xmlOrder?: readonly Member[];
}

/**
 * A resource with its defaults; its operations get their names. Fields and operations are made when they are first asked
 * for: a command needs those of a few resources.
 */
export function defineResource<F extends Fields, O extends Operations>(d: Description<F, O>): Resource<F, O> {
  const type = d.type ?? d.name.charAt(0).toUpperCase() + d.name.slice(1);
  let fields: F | undefined;
  let operations: O | undefined;
  return {
    source: 'document',
    segments: [],
    id: 'guid',
    identity: [],
    order: [],
    names: [],
    key: d.identity ?? [],
    open: false,
    rowType: undefined,
    aliases: [d.name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()],
    ...d,
    type,
    get fields() {
      fields ??= withMeanings(d.fields());
      return fields;
    },
    get operations() {
      operations ??= named(d.operations(), { ...d, type });
      return operations;
    },
  };
}

/** Operations with the name of their resource and their own, and with members that follow from these. */
function named<O extends Operations>(
  given: O,
  { name: resource, type, operationSource = 'document' }: { name: string; type: string; operationSource?: Source },
): O {
  const operations: Record<string, Operations[string]> = {};
  for (const [name, operation] of Object.entries(given)) {
    const { answers, takes, output = type } = operation;
    const source = operation.source === 'document' ? operationSource : operation.source;
    const meant = { ...(answers && { answers: withMeanings(answers) }), ...(takes && { takes: withMeanings(takes) }) };
    operations[name] = { ...operation, ...meant, resource, name, source, output };
  }
  // Each name keeps its operation.
  return operations as O;
}

/** One value of a record; dates, GUIDs and bytes are texts. */
export type Value = string | number | boolean | null;
/** A record: members by the names of the document. */
export type Row = Readonly<Record<string, Value>>;

/** The values of these members of a record, in this order; null of those that it has not. */
export function valuesOf(record: Row, names: readonly string[]): Row {
  const values: Record<string, Value> = {};
  for (const name of names) values[name] = record[name] ?? null;
  return values;
}

/** The resource in the singular, in words: basic role. */
export const singular = (resource: Resource): string => (resource.aliases[0] ?? resource.command).replaceAll('-', ' ');

/** The resource in the plural, in words: basic roles. */
export const plural = (resource: Resource): string => resource.command.replaceAll('-', ' ');

/** The name of a record for people: that of an individual is its first and last name. Undefined of one without a name. */
export function nameOf({ names }: Pick<Resource, 'names'>, record: Readonly<Record<string, unknown>> = {}) {
  const { FullName, FirstName, LastName } = record;
  const full = FullName ?? (FirstName && LastName ? `${String(FirstName)} ${String(LastName)}` : undefined);
  const texts = [...(names.includes('FullName') ? [full] : []), ...names.map((name) => record[name])];
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}

/** Can deleted records be undeleted? Otherwise deletion is final (D8). */
export const isSoft = (resource: Resource): boolean => 'undelete' in resource.operations;

/** Is the record deleted, or hidden with its owner? */
export const isGone = ({ Deleted, DeletedByRef }: Row): boolean => Deleted === true || DeletedByRef === true;

export const fieldSource = (resource: Resource, field: Field): Source => field.source ?? resource.source;
