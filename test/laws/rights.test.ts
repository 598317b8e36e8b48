// What holds for the rights of every resource (D19), whatever it is.
import { describe, expect, it } from 'vitest';
import { everyResource, resourceNamed, resources } from '../../src/contract/index.ts';
import { ownersOf } from '../../src/contract/record-address.ts';
import { plural, type Resource, type Unset } from '../../src/contract/resource.ts';
import {
  CHILD_TYPES,
  childTypeOn,
  childTypesOn,
  countsOn,
  inheritanceOf,
  isPrivate,
  means,
} from '../../src/contract/rights.ts';
import { factsOf } from './facts.ts';
import { textOf } from './imports.ts';

/** What the words of the contract mean, in the words of the table of facts: who reads, creates, updates and deletes. */
const MEANING: Readonly<Record<Exclude<Unset, 'none'>, readonly [string, string, string, string]>> = {
  open: ['everybody', 'nobody', 'nobody', 'nobody'],
  private: ['chain', 'nobody', 'nobody', 'nobody'],
  'own list': ['everybody', 'person', 'person', 'person'],
  'own record': ['everybody', 'nobody', 'itself', 'nobody'],
  authored: ['chain, author', 'everybody', 'author', 'author'],
  delegated: ['delegate', 'delegate', 'delegate', 'delegate'],
};

describe('the rights of a resource', () => {
  it('are those of the table of facts', () => {
    const told = resources.map(({ name, rights: { from, unset } }) => {
      const fields = 'member' in from ? [from.member] : from;
      return [name, fields.join(', ') || '-', ...(unset === 'none' ? [] : MEANING[unset])];
    });
    const facts = factsOf('rights.tsv').map((fact) => Object.values(fact));
    const [rows, known] = [told, facts].map((all) => all.map((cells) => cells.join('\t')).sort()) as [
      string[],
      string[],
    ];
    const missing = rows.filter((row) => !known.includes(row));
    expect(rows, `these rows are missing in test/facts/rights.tsv:\n${missing.join('\n')}\n`).toEqual(known);
  });

  it('come down through owner fields, or through a member that is no field of it', () => {
    const wrong = everyResource.filter(({ rights: { from }, fields, unstored }) =>
      'member' in from
        ? !unstored && from.member in fields
        : from.some((field) => !fields[field]?.owner || !fields[field].to?.length),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('are an author’s only where records tell their author', () => {
    const authored = everyResource.filter(({ rights }) => rights.unset === 'authored');
    expect(authored.filter(({ fields }) => !fields.CreatedBy).map(({ name }) => name)).toEqual([]);
  });

  it('come from the individual who owns it', () => {
    const owners = (resource: Resource) => ownersOf(resource).flatMap(({ targets }) => targets);
    const others = everyResource.filter(
      (resource) => leadsTo('individual', resource, owners) && !leadsTo('individual', resource, inherited),
    );
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it('pass through trees that have their recursion in engine/store/sql/visibility.ts', () => {
    const trees = everyResource.filter((resource) => leadsTo(resource.name, resource, inherited));
    expect(trees.map(({ name }) => name).sort()).toEqual(['metric', 'organization', 'project']);
  });
});

const inherited = (resource: Resource): readonly string[] => inheritanceOf(resource).flatMap(({ targets }) => targets);

/** Is this kind above the resource, at whatever distance? */
function leadsTo(kind: string, resource: Resource, above: (one: Resource) => readonly string[]): boolean {
  const passed = new Set(above(resource));
  for (const name of passed) {
    const owner = everyResource.find((one) => one.name === name);
    for (const next of owner ? above(owner) : []) passed.add(next);
  }
  return passed.has(kind);
}

describe('pm help rights', () => {
  const help = textOf('src/cli/help/rights.md').replaceAll(/\s+/g, ' ');
  const listIn = (sentence: RegExp): readonly string[] => (sentence.exec(help)?.[1]?.split(', ') ?? []).toSorted();
  const those = (is: (resource: Resource) => boolean): readonly string[] => resources.filter(is).map(plural).sort();

  it("names what is an individual's own, but for what counts as something else that it names", () => {
    const own = those((resource) => isPrivate(resource) && !resource.rights.countsAs);
    expect(listIn(/an individual's own \(([^)]*)\)/)).toEqual(own);
  });

  it('names what everybody keeps', () => {
    expect(listIn(/keep what is theirs alone \(([^)]*)\)/), 'cli/help/rights.md: keep what is theirs alone').toEqual(
      those(({ rights }) => rights.unset === 'own list'),
    );
  });

  it('names the types of children', () => {
    expect(listIn(/Types of children: ([^.]*)\./)).toEqual([...new Set(Object.values(CHILD_TYPES))].sort());
  });
});

describe('child types', () => {
  it('are the nine numbers of the document', () => {
    expect(CHILD_TYPES).toEqual({
      4: 'organization',
      7: 'metric',
      9: 'dialog',
      15: 'project',
      16: 'metric',
      19: 'department',
      25: 'dialog',
      38: 'dialog',
      58: 'metric',
    });
  });

  it('of metrics and dialogs allow on the site all three, elsewhere the one of that kind of owner', () => {
    const allowing = (type: string, kind: string): readonly number[] =>
      Object.keys(CHILD_TYPES)
        .map(Number)
        .filter((number) => means(number, type) && countsOn(number, kind));
    const kinds = ['site', 'organization', 'project', 'individual'];
    expect(kinds.map((kind) => allowing('metric', kind))).toEqual([[7, 16, 58], [7], [16], [58]]);
    expect(kinds.map((kind) => allowing('dialog', kind))).toEqual([[9, 25, 38], [9], [25], [38]]);
    expect(kinds.map((kind) => allowing('project', kind))).toEqual([[15], [15], [15], [15]]);
  });

  it('are given by the number of the kind of owner', () => {
    const kinds = ['site', 'organization', 'project', 'individual', 'task'];
    expect(kinds.map((kind) => childTypeOn('metric', kind))).toEqual([7, 7, 16, 58, 7]);
    expect(kinds.map((kind) => childTypeOn('dialog', kind))).toEqual([9, 9, 25, 38, 9]);
    expect(childTypeOn('department', 'site')).toBe(19);
    expect(childTypeOn('task', 'site')).toBeUndefined();
  });

  it('are listed on what records of the type can stand below', () => {
    expect(childTypesOn('site')).toEqual([4, 7, 9, 15, 16, 19, 25, 38, 58]);
    expect(childTypesOn('organization')).toEqual([4, 7, 9, 15, 19]);
    expect(childTypesOn('project')).toEqual([15, 16, 25]);
    expect(childTypesOn('individual')).toEqual([38, 58]);
    expect([...childTypesOn('metric'), ...childTypesOn('task')]).toEqual([]);
  });

  it('name owners that records of the type can have, and each number is there once', () => {
    const numbers = everyResource.flatMap(({ rights }) => rights.childTypes ?? []).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    const lost = everyResource.flatMap((resource) =>
      (resource.rights.childTypes ?? []).filter(
        ({ below }) => below && !inheritanceOf(resource).some(({ targets }) => targets.includes(below)),
      ),
    );
    expect(lost).toEqual([]);
  });

  it('that count for another resource too are of one that has some', () => {
    const counted = everyResource.flatMap(({ rights }) => rights.countsAs ?? []);
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.filter((name) => !resourceNamed(name).rights.childTypes)).toEqual([]);
  });
});
