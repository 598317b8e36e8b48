// What holds for every resource of the contract, whatever it is.
import { describe, expect, it } from 'vitest';
import type { Field, Fields } from '../../src/contract/field.ts';
import { resourceNamed, resources } from '../../src/contract/index.ts';
import { isAlias, type Operation } from '../../src/contract/operation.ts';
import { isSoft, type Resource } from '../../src/contract/resource.ts';

/** The only names of operations that there are: verbs, and a few that are named for what they do. */
const OPERATIONS = ['list', 'get', 'create', 'update', 'delete', 'undelete'];
/** Verbs under which an operation may have the name of another one. */
const UNORDINARY: readonly string[] = ['local', 'special', 'unsupported'];
const NAMED = [
  'activeProjects',
  'addMember',
  'all',
  'completedProjects',
  'createSeparate',
  'defaults',
  'deleteMember',
  'deptActiveProjects',
  'dialogTasks',
  'grantGlobal',
  'members',
  'metrics',
  'roles',
  'sample',
  'setPassword',
  'simple',
  'summary',
  'take',
  'toggleCompleted',
];

/** Flags that every command has; an address must not be called like one of them. */
const GLOBAL_FLAGS = [
  ...['profile', 'output', 'out', 'fields', 'where', 'sort', 'limit', 'jmespath', 'deleted', 'tz', 'dry-run', 'yes'],
  ...['confirm', 'no-input', 'quiet', 'verbose', 'trace', 'curl', 'color', 'no-progress', 'concurrency', 'rate'],
  ...['retries', 'timeout', 'wire', 'errors', 'help', 'version', 'as', 'set', 'clear', 'from', 'edit'],
];

const names = resources.map((resource) => resource.name);
const operationsOf = (resource: Resource): readonly Operation[] => Object.values(resource.operations);

/** The fields of records, of other answers and of local operations, each with where it stands. */
const allFields: readonly (readonly [string, Field])[] = resources.flatMap((resource) => [
  ...named(resource.name, resource.fields),
  ...operationsOf(resource).flatMap((operation) => [
    ...named(`${resource.name} ${operation.name}`, operation.answers ?? {}),
    ...named(`${resource.name} ${operation.name}`, operation.takes ?? {}),
  ]),
]);

function named(where: string, fields: Fields): (readonly [string, Field])[] {
  return Object.entries(fields).map(([name, field]) => [`${where} ${name}`, field]);
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const twice = (words: readonly string[]): readonly string[] => words.filter((word, at) => words.indexOf(word) !== at);

/** The field of a resource, or after a dot that of the record which it names: `IndividualID.FullOrderedName`. */
function fieldAt({ fields }: Resource, name: string): Field | undefined {
  const [member = '', beyond] = name.split('.');
  const field = fields[member];
  const [target] = field?.to ?? [];
  return beyond === undefined ? field : target === undefined ? undefined : resourceNamed(target).fields[beyond];
}

describe.each(resources.map((resource) => [resource.command, resource] as const))('the resource %s', (_, resource) => {
  it('names only fields that it has', () => {
    const order = resource.order === 'tree' ? [] : resource.order.map((name) => name.replace(/^-/, ''));
    const used = [...resource.columns, ...order, ...resource.names, ...resource.key, ...resource.identity];
    expect(used.filter((name) => fieldAt(resource, name) === undefined)).toEqual([]);
  });

  it('shows columns, each once', () => {
    expect(resource.columns.length).toBeGreaterThan(0);
    expect(twice(resource.columns)).toEqual([]);
  });

  it('is ordered and named by fields that hold text, numbers or dates', () => {
    const order = resource.order === 'tree' ? ['Rank'] : resource.order.map((name) => name.replace(/^-/, ''));
    const kinds = [...order, ...resource.names].map((name) => fieldAt(resource, name)?.kind);
    expect(kinds.filter((kind) => !['text', 'integer', 'date', 'stamp', 'day'].includes(String(kind)))).toEqual([]);
  });

  it('says what it is in one sentence', () => {
    expect(resource.doc).toMatch(/^[A-Z][^.]*\.$/);
  });

  it('is called on the command line in kebab-case, and its first alias is the singular', () => {
    for (const name of [resource.command, ...resource.aliases]) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(resource.aliases[0]).not.toBe(resource.command);
  });

  it('is found by its name', () => {
    expect(resourceNamed(resource.name)).toBe(resource);
  });

  it('has an ID of its kind, or two ends that identify it', () => {
    if (resource.fields.ID) expect(resource.fields.ID.kind).toBe(resource.id);
    else expect(resource.identity.length).toBeGreaterThan(1);
  });

  it('marks its deleted records if they can come back', () => {
    if (!isSoft(resource)) return;
    expect(resource.fields).toMatchObject({ Deleted: { rule: 'read-only' }, DeletedByRef: { rule: 'read-only' } });
    expect(resource.operations).toHaveProperty('delete');
  });

  it('has operations that know their names', () => {
    for (const [name, operation] of Object.entries(resource.operations)) {
      expect({ resource: operation.resource, name: operation.name }).toEqual({ resource: resource.name, name });
      expect(OPERATIONS.concat(NAMED)).toContain(name);
      if (OPERATIONS.includes(name) && !UNORDINARY.includes(operation.verb)) expect(operation.verb).toBe(name);
    }
  });

  it('says in a sentence what its unordinary operations do', () => {
    const unordinary = operationsOf(resource).filter(({ verb }) => verb === 'special' || verb === 'local');
    for (const operation of unordinary) expect(operation.doc).toMatch(/^[A-Z].*\.$/);
  });

  it('has addresses whose names can be flags', () => {
    for (const operation of operationsOf(resource)) {
      for (const name of Object.keys(operation.routes)) {
        expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
        if (!isAlias(name)) expect(GLOBAL_FLAGS).not.toContain(kebab(name));
      }
    }
  });

  it('has for each second spelling an address that is chosen', () => {
    for (const { routes } of operationsOf(resource)) {
      const spellings = Object.keys(routes);
      if (spellings.length > 0) expect(spellings.filter((name) => !isAlias(name))).not.toEqual([]);
    }
  });

  it('answers no address of a local operation', () => {
    for (const operation of operationsOf(resource)) {
      expect(Object.keys(operation.routes).length === 0).toBe(operation.verb === 'local');
      expect(operation.source === 'local').toBe(operation.verb === 'local');
    }
  });

  it('gives sources only to addresses that it has', () => {
    for (const { routes, sources } of operationsOf(resource)) {
      expect(Object.keys(sources).filter((name) => !Object.hasOwn(routes, name))).toEqual([]);
    }
  });

  it('never demands on a change what a create may leave out', () => {
    const demanded = Object.entries(resource.fields).filter(([, field]) => field.rule === 'required on update');
    expect(demanded.map(([name]) => name).filter((name) => name !== 'ID')).toEqual([]);
  });
});

describe('the contract', () => {
  it('calls no two resources alike', () => {
    expect(twice(names)).toEqual([]);
    expect(twice(resources.flatMap((resource) => [resource.command, ...resource.aliases]))).toEqual([]);
  });

  it('has each path segment of an ID once', () => {
    const segments = resources.flatMap((resource) => resource.segments);
    expect(twice(segments)).toEqual([]);
    expect(segments.filter((segment) => segment !== segment.toLowerCase())).toEqual([]);
  });

  it('has each row type once', () => {
    expect(twice(resources.flatMap(({ rowType }) => (rowType === undefined ? [] : [String(rowType)])))).toEqual([]);
  });
});

/** The kind of each of several IDs. */
const oneOf = ({ kind }: Field): string => (kind === 'guids' ? 'guid' : kind);

describe('a field', () => {
  it('refers only to resources that there are', () => {
    const known = [...names, 'site', 'principal'];
    const lost = allFields.filter(([, field]) => field.to?.some((target) => !known.includes(target)));
    expect(lost.map(([where]) => where)).toEqual([]);
  });

  it('refers by the kind of ID that the other resource has', () => {
    const odd = allFields.filter(([, field]) =>
      field.to?.some((target) => oneOf(field) !== (resources.find((one) => one.name === target)?.id ?? 'guid')),
    );
    expect(odd.map(([where]) => where)).toEqual([]);
  });

  it('that is an owner says of what, and can be written', () => {
    const owners = allFields.filter(([, field]) => field.owner);
    expect(owners.length).toBeGreaterThan(0);
    expect(owners.filter(([, field]) => !field.to?.length).map(([where]) => where)).toEqual([]);
    expect(owners.filter(([, field]) => field.rule === 'read-only').map(([where]) => where)).toEqual([]);
  });

  it('that moves is an owner', () => {
    expect(allFields.filter(([, field]) => field.moves && !field.owner).map(([where]) => where)).toEqual([]);
  });

  it('with choices is a number, and each choice has a word', () => {
    const chosen = allFields.filter(([, field]) => field.choices);
    expect(chosen.length).toBeGreaterThan(0);
    for (const [where, field] of chosen) {
      expect([where, field.kind]).toEqual([where, expect.stringMatching(/^(integer|byte)$/)]);
      for (const [number, word] of Object.entries(field.choices ?? {}))
        expect(`${where} ${number} ${word}`).toMatch(/ \d+ \S/);
    }
  });

  it('with a pattern says its form in words', () => {
    expect(allFields.filter(([, field]) => field.pattern && !field.form).map(([where]) => where)).toEqual([]);
  });

  it('with a length or a pattern is a text', () => {
    const odd = allFields.filter(([, field]) => (field.max !== undefined || field.pattern) && field.kind !== 'text');
    expect(odd.map(([where]) => where)).toEqual([]);
  });

  it('that is a name is a text of one line, and each key that is written is a name', () => {
    const named = allFields.filter(([, field]) => field.name);
    expect(named.length).toBeGreaterThan(20);
    const odd = named.filter(([, field]) => field.kind !== 'text' || field.rule === 'read-only' || field.writeOnly);
    expect(odd.map(([where]) => where)).toEqual([]);
    const isNameless = ({ kind, rule, name }: Field): boolean => kind === 'text' && rule !== 'read-only' && !name;
    const nameless = resources.flatMap(({ name, names: own, key, identity, fields }) =>
      [...own, ...key, ...identity].filter((member) => isNameless(fields[member] as Field)).map((one) => [name, one]),
    );
    expect(nameless).toEqual([]);
  });

  it('that is read-only keeps, moves and hides nothing', () => {
    const odd = allFields.filter(
      ([, field]) => field.rule === 'read-only' && (field.keeps || field.nullOnly || field.writeOnly || field.unique),
    );
    expect(odd.map(([where]) => where)).toEqual([]);
  });

  it('is explained in sentences', () => {
    const odd = allFields.filter(([, field]) => field.doc !== undefined && !/^[A-Z0-9].*[.?]$/.test(field.doc));
    expect(odd.map(([where]) => where)).toEqual([]);
  });
});

describe('the meaning of a field', () => {
  const parts = resources.flatMap(({ name, fields, operations }) => [
    { name, fields: fields as Fields },
    ...Object.values(operations as Readonly<Record<string, Operation>>).flatMap((operation) => [
      { name: `${name} ${operation.name} answers`, fields: operation.answers ?? {} },
      { name: `${name} ${operation.name} takes`, fields: operation.takes ?? {} },
    ]),
  ]);

  it('is told of every one', () => {
    const silent = parts.flatMap(({ name, fields }) =>
      Object.entries(fields).flatMap(([field, { doc }]) => (doc ? [] : [`${name}.${field}`])),
    );
    expect(silent, 'say it as doc of the field, or for its name in contract/resources/meanings.ts').toEqual([]);
  });

  it('is one short sentence', () => {
    const docs = parts.flatMap(({ fields }) => Object.values(fields).map(({ doc = '' }) => doc));
    expect(docs.filter((doc) => !/^[A-Z1-9].*[.?]$/.test(doc) || doc.length > 110)).toEqual([]);
  });
});
