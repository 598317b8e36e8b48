// D10, D11, D14: which members a body may, must and must not have, and what becomes of those it leaves out.
import { describe, expect, it } from 'vitest';
import { boolean } from '../../src/contract/field.ts';
import { contract } from '../../src/contract/index.ts';
import { validate } from '../../src/contract/validate.ts';
import { zoneOf } from '../../src/contract/zone.ts';
import { check, faultsOf, ID, item, OTHER, person, right } from './bodies.ts';

const { accountability, individual, permission, organization, project, site } = contract;

describe('a body that passes', () => {
  it('is its writable members, by their names', () => {
    expect(check(accountability, { ID, ...item })).toEqual({ values: { ID, ...item }, others: {} });
  });

  it('may spell its members in any case', () => {
    const { values } = check(accountability, { ancestorid: ID, RANK: 1, name: 'Coaching', description: 'x' });
    expect(values).toMatchObject({ AncestorID: ID, Rank: 1, Name: 'Coaching', Description: 'x' });
  });

  it('has its GUIDs in lower case', () => {
    expect(check(accountability, { ...item, AncestorID: ID.toUpperCase() }).values.AncestorID).toBe(ID);
  });

  it('reads dates without an offset in the zone that is given, and only then', async () => {
    const berlin = await zoneOf('Europe/Berlin');
    const body = { ...person, HireDate: '2026-07-01T00:00:00' };
    expect(check(individual, body, 'create', berlin).values.HireDate).toBe('2026-07-01T00:00:00+02:00');
    expect(faultsOf(individual, body)).toMatchObject([{ field: 'HireDate', code: 'malformed' }]);
  });
});

describe('read-only members', () => {
  it('are ignored, so that a fetched record can be sent back', () => {
    const fetched = { ...item, ID, SiteID: OTHER, Deleted: true, Created: 'long ago', UpdatedBy: 12 };
    expect(check(accountability, fetched, 'update').values).toEqual({ ID, ...item });
  });

  it('are ignored also where a create carries them', () => {
    expect(check(individual, { ...person, Deleted: false, DeletedByRef: false }).values).not.toHaveProperty('Deleted');
  });
});

describe('an unknown member', () => {
  it('is refused with the nearest name', () => {
    expect(faultsOf(accountability, { ...item, Descripton: 'x' })).toEqual([
      {
        field: 'Descripton',
        code: 'unknown_member',
        message: 'is not a member of it',
        hint: 'Did you mean Description?',
      },
    ]);
  });

  it('is refused without a suggestion where no name is near', () => {
    expect(faultsOf(accountability, { ...item, Zzzzzz: 1 })[0]).not.toHaveProperty('hint');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('is refused also where every object has it: %s', (name) => {
    expect(faultsOf(accountability, { ...item, [name]: 'x' })).toMatchObject([
      { field: name, code: 'unknown_member', message: 'is not a member of it' },
    ]);
  });

  it('is kept where the list of members is cut', () => {
    const body = { Rank: 1, Name: 'Sales', Motto: 'Listen', constructor: 'x' };
    expect(check(organization, body).others).toEqual({ Motto: 'Listen', constructor: 'x' });
  });
});

describe('a member that is given twice', () => {
  it('is refused, in whatever case', () => {
    expect(faultsOf(accountability, { ...item, name: 'Other' })).toEqual([
      { field: 'Name', code: 'unknown_member', message: 'is given twice' },
    ]);
    expect(faultsOf(organization, { Rank: 1, NAME: 'Sales', name: 'Sales' })).toHaveLength(1);
  });
});

describe('the ID of a record', () => {
  it('is demanded by an update and may be left out of a create', () => {
    expect(check(accountability, item).values).not.toHaveProperty('ID');
    for (const body of [
      { ...item, ID: undefined },
      { ...item, ID: null },
    ]) {
      expect(faultsOf(accountability, body, 'update')).toMatchObject([{ field: 'ID', code: 'required' }]);
    }
  });
});

describe('an optional text of white space', () => {
  it('is kept, and only an empty one is no text', () => {
    const { values } = check(project, { AncestorID: ID, PhaseID: 1, Description: '  ', TrackingLabel: '' });
    expect(values).toMatchObject({ Description: '  ', TrackingLabel: null });
  });
});

describe('a required member', () => {
  it.each([null, '', '  ', '\t\n'])('that is empty is refused: %j', (empty) => {
    for (const purpose of ['create', 'update'] as const) {
      expect(faultsOf(accountability, { ...item, Name: empty }, purpose)).toMatchObject([
        { field: 'Name', code: 'required' },
      ]);
    }
  });

  it('that is false or 0 is there', () => {
    const body = { ...item, Rank: 0 };
    expect(check(accountability, body).values.Rank).toBe(0);
    expect(check(permission, { ...right, ReadState: 0 }).values.ReadState).toBe(0);
  });
});

describe('a member that is required on create', () => {
  it('is refused where a create leaves it out or empty', () => {
    const { Email: _, ...rest } = person;
    expect(faultsOf(individual, rest)).toMatchObject([{ field: 'Email', code: 'required' }]);
    expect(faultsOf(individual, { ...person, Email: '' })).toMatchObject([{ field: 'Email', code: 'required' }]);
  });

  it('keeps its value where an update leaves it out', () => {
    const { Email: _, ...rest } = person;
    expect(check(individual, rest, 'update').values).not.toHaveProperty('Email');
  });

  it.each([null, ''])('is refused where an update empties it with %j', (empty) => {
    expect(faultsOf(individual, { ...person, Email: empty }, 'update')).toMatchObject([
      { field: 'Email', code: 'null' },
    ]);
  });
});

describe('an optional member', () => {
  it('that is left out becomes null, a boolean false', () => {
    const { values } = check(project, { AncestorID: ID, PhaseID: 1 }, 'update');
    expect(values).toMatchObject({ Name: null, Rank: null, StartDateActual: null, StatusID: null });
    expect(check(contract.evaluationCriteria, item, 'update').values.Completed).toBe(false);
  });

  it('that is null becomes null, a boolean false', () => {
    expect(check(individual, { ...person, Prefix: null }).values.Prefix).toBeNull();
    expect(check(contract.evaluationCriteria, { ...item, Completed: null }).values.Completed).toBe(false);
  });

  it('that is an empty text or an empty day becomes null', () => {
    expect(check(individual, { ...person, Prefix: '' }).values.Prefix).toBeNull();
    expect(check(project, { AncestorID: ID, PhaseID: 1, EndDateActual: '' }).values.EndDateActual).toBeNull();
  });

  it('has its initial value after a create without it, not after an update', () => {
    const shape = { fields: { Shown: boolean('optional', { initial: true }) }, what: 'the thing' };
    expect(validate(shape, {}, 'create').values).toEqual({ Shown: true });
    expect(validate(shape, {}, 'update').values).toEqual({ Shown: false });
  });
});

describe('a member that is kept', () => {
  it.each([
    ['a password', individual, person, 'Password'],
    ['a mark of an administrator', individual, person, 'IsAdmin'],
    ['a feature', site, { Name: 'a', Comment: 'b', Category: 'c' }, 'FeatureApi'],
    ['a parent', organization, { Rank: 1, Name: 'Sales' }, 'ParentID'],
    ['an owner', accountability, { Rank: 1, Name: 'a', Description: 'b' }, 'AncestorID'],
  ] as const)('has its old value where an update leaves it out: %s', (_, resource, body, member) => {
    const { [member as 'Name']: __, ...rest } = body as Record<string, unknown>;
    expect(check(resource, rest, 'update').values).not.toHaveProperty(member);
    expect(faultsOf(resource, { ...rest, [member]: null }, 'update')).toMatchObject([{ field: member, code: 'null' }]);
  });
});

describe('a member that may only be null', () => {
  it('passes as null and is no value', () => {
    expect(check(individual, person).values).not.toHaveProperty('ParentID');
    expect(check(individual, person, 'update').values).not.toHaveProperty('ParentID');
  });

  it('may be left out', () => {
    const { ParentID: _, ...rest } = person;
    expect(check(individual, rest).values).not.toHaveProperty('ParentID');
  });

  it.each([ID, '', 0])('is refused as %j', (value) => {
    expect(faultsOf(individual, { ...person, ParentID: value })).toMatchObject([
      { field: 'ParentID', code: 'malformed', message: expect.stringContaining('only null is allowed') },
    ]);
  });
});

describe('a member that must be sent and may be null', () => {
  it('passes as null', () => {
    expect(check(permission, right).values.ChildType).toBeNull();
    expect(check(permission, right, 'update').values.ChildType).toBeNull();
  });

  it('is refused where a create leaves it out, and keeps its value where an update does', () => {
    const { ChildType: _, ...rest } = right;
    expect(faultsOf(permission, rest)).toMatchObject([{ field: 'ChildType', code: 'required' }]);
    expect(check(permission, rest, 'update').values).not.toHaveProperty('ChildType');
  });
});
