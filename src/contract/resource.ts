// A resource of the service as a value, and the TypeScript types read off it.
import type { Field, Fields, Kinds, Source } from './field.ts';
import type { Operation, Operations } from './operation.ts';

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
  /** Through whom rights come down to its records, and what holds where nobody gave any (D19). */
  readonly rights: Rights;
  readonly id: 'guid' | 'integer';
  /** The fields that together identify a record besides its ID, or instead of one: a membership's two ends. */
  readonly identity: readonly string[];
  /** The order of lists (D16); `-` in front of a field turns it round, and the ID comes last. `tree`: below its parent. */
  readonly order: readonly string[] | 'tree';
  /** The fields by which people name a record, besides its ID; each is tried by itself. */
  readonly names: readonly string[];
  /** The fields that together make the natural key of a file's row. */
  readonly key: readonly string[];
  /** The fields that a table shows of a list. */
  readonly columns: readonly string[];
  /** The field list is cut in its source: unknown members are kept and returned (D11). */
  readonly open: boolean;
  /** The service's number for records of this type, where it is one number. */
  readonly rowType: number | undefined;
  /** Holds no records that people list and change: no table and no commands are made from it. */
  readonly hidden?: true;
  /** Its records are worked out when they are read: there are commands, and no table. */
  readonly unstored?: true;
  /** The order of the members in XML, where it is not the order of the fields (D23). */
  readonly xmlOrder?: readonly string[];
}

/** What is asked of rights: `delegate` is to give them to others (D19). */
export type Action = 'create' | 'read' | 'update' | 'delete' | 'delegate';

/** What holds where no permission row decides; whoever is not named here may not, but for administrators. */
export type Unset =
  /** Everybody of the site reads. */
  | 'open'
  /** The individual it belongs to reads, and the chain above; what belongs to no individual, everybody. */
  | 'private'
  /** Everybody reads; the individual it belongs to creates, updates and deletes. */
  | 'own list'
  /** Everybody reads; the individual itself updates. */
  | 'own record'
  /** As `private`, and the author reads; everybody who reads its owner creates, the author updates and deletes. */
  | 'authored'
  /** Every action is for whoever may delegate on its owner. */
  | 'delegated'
  /** Nobody is asked: there are no records. */
  | 'none';

/** A number by which permission rows mean records of this resource below a step of the walk. */
export interface ChildType {
  readonly number: number;
  /** The kind of owner below which alone it allows, besides the site; a Deny counts wherever it stands. */
  readonly below?: string;
  /** The type that it means, where one resource holds several. */
  readonly type?: string;
}

/** An owner that is named by no owner field: a member, and the kinds of records that it may name. */
export interface Named {
  readonly member: string;
  readonly kinds: readonly string[];
}

/** Who may do what with the records of a resource (D19), as plain data. */
export interface Rights<Name extends string = string> {
  /** The owner fields through which rights come down; the first that is set counts. None: it stands right below the site. */
  readonly from: readonly Name[] | Named;
  readonly unset: Unset;
  readonly childTypes?: readonly ChildType[];
  /** The resource whose child types mean it too. */
  readonly countsAs?: string;
}

interface Description<F extends Fields, O extends Operations> {
  name: string;
  command: string;
  aliases: readonly string[];
  type: string;
  doc: string;
  source?: Source;
  fields: F;
  operations: O;
  segments?: readonly string[];
  rights: Rights<keyof F & string>;
  id?: 'guid' | 'integer';
  identity?: readonly (keyof F & string)[];
  order: readonly ((keyof F & string) | `-${keyof F & string}`)[] | 'tree';
  names?: readonly (keyof F & string)[];
  key?: readonly (keyof F & string)[];
  columns: readonly (keyof F & string)[];
  open?: true;
  rowType?: number;
  hidden?: true;
  unstored?: true;
  xmlOrder?: readonly (keyof F & string)[];
}

/** Completes a description of a resource; its operations learn their names. */
export function defineResource<F extends Fields, O extends Operations>(d: Description<F, O>): Resource<F, O> {
  const named = Object.entries(d.operations).map(([name, operation]) => [
    name,
    { ...operation, resource: d.name, name, output: operation.output ?? d.type },
  ]);
  return {
    source: 'document',
    segments: [],
    id: 'guid',
    identity: [],
    names: [],
    key: [],
    open: false,
    rowType: undefined,
    ...d,
    operations: Object.fromEntries(named) as O,
  };
}

/** One value of a record; dates, GUIDs and bytes are texts. */
export type Value = string | number | boolean | null;
/** A record as generic code sees it: members under the document's names. */
export type Row = Readonly<Record<string, Value>>;

type ValueOf<F extends Field> = Kinds[F['kind']];
export type RecordOf<R extends Resource> = { readonly [K in keyof R['fields']]: ValueOf<R['fields'][K]> | null };

/** One record of the resource in words: basic role. */
export const singular = (resource: Resource): string => (resource.aliases[0] ?? resource.command).replaceAll('-', ' ');

/** Several of them in words: basic roles. */
export const plural = (resource: Resource): string => resource.command.replaceAll('-', ' ');

/** Is a deleted record of this resource kept, so that it can come back? Otherwise deletion is final (D8). */
export const isSoft = (resource: Resource): boolean => 'undelete' in resource.operations;

/** The operation of that name, if the resource has one. */
export const operationOf = (resource: Resource, name: string): Operation | undefined => resource.operations[name];

/** Where a field is known from. */
export const fieldSource = (resource: Resource, field: Field): Source => field.source ?? resource.source;
