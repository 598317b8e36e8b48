// What holds for the rights of every resource (D19), whatever it is.
import { describe, expect, it } from 'vitest';
import { CHILD_TYPES, childTypeOn, childTypesOn, countsOn, means } from '../../src/contract/child-types.ts';
import { everyResource, resourceNamed } from '../../src/contract/index.ts';
import { inheritanceOf } from '../../src/contract/rights.ts';

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
