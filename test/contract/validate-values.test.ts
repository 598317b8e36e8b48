// D13: which values a member may have, and how all that is wrong is said at once.
import { beforeAll, describe, expect, it } from 'vitest';
import { day, type Field, guid, integer, text } from '../../src/contract/field.ts';
import { contract } from '../../src/contract/index.ts';
import { DELETED } from '../../src/contract/params.ts';
import { agree, checkText, fieldNamed } from '../../src/contract/validate.ts';
import { type Zone, zoneOf } from '../../src/contract/zone.ts';
import { check, faultsOf, ID, item, person, refusal, right } from './bodies.ts';

const { accountability, individual, permission, color } = contract;

describe('a value', () => {
  it('of another kind is refused with what to write instead', () => {
    expect(faultsOf(accountability, { ...item, Rank: '1' })).toEqual([
      { field: 'Rank', code: 'malformed', message: 'is "1", not a whole number', hint: 'Write a whole number.' },
    ]);
  });

  it('outside its range is refused with both ends', () => {
    expect(faultsOf(accountability, { ...item, Rank: 2 ** 31 })).toMatchObject([
      { field: 'Rank', code: 'out_of_range', message: expect.stringContaining('outside -2147483648 to 2147483647') },
    ]);
  });

  it('that is no choice is refused with those that are', () => {
    expect(faultsOf(permission, { ...right, ReadState: 3 })).toEqual([
      { field: 'ReadState', code: 'out_of_range', message: 'is 3; allowed are 0 (Not Set), 1 (Allow), 2 (Deny)' },
    ]);
  });

  it('of another form is refused with that form in words', () => {
    const body = { SiteID: ID, Rank: 1, Name: 'Red', Code: 'red' };
    expect(faultsOf(color, body)).toMatchObject([{ field: 'Code', code: 'malformed' }]);
    expect(refusal(color, body).message).toContain('a hex color of six digits');
  });

  it.each(['a:b', 'site\\ann'])('is no user name: %s', (name) => {
    expect(faultsOf(individual, { ...person, UserName: name })).toMatchObject([
      { field: 'UserName', code: 'malformed' },
    ]);
  });
});

describe('a name', () => {
  it.each([
    [' ken0', 'begins with the blank U+0020: " ken0"'],
    ['ken0 ', 'ends with the blank U+0020: "ken0 "'],
    ['new1\u00a0', 'ends with the blank U+00A0: "new1\\u00a0"'],
    ['\ufeffann', 'begins with the blank U+FEFF: "\\ufeffann"'],
    ['ann\u200b', 'ends with the blank U+200B: "ann\\u200b"'],
    ['ann\n', 'ends with the blank U+000A: "ann\\n"'],
    ['\u3000ann', 'begins with the blank U+3000: "\\u3000ann"'],
    ['a\tb', 'holds the character U+0009 at position 2, which no name may have: "a\\tb"'],
    ['a\u0085b', 'holds the character U+0085 at position 2, which no name may have: "a\\u0085b"'],
    ['a\u2028b', 'holds the character U+2028 at position 2, which no name may have: "a\\u2028b"'],
    ['ab\u202ec', 'holds the character U+202E at position 3, which no name may have: "ab\\u202ec"'],
    ['a\u200fb', 'holds the character U+200F at position 2, which no name may have: "a\\u200fb"'],
    ['a\u2066b', 'holds the character U+2066 at position 2, which no name may have: "a\\u2066b"'],
    ['a\u061cb', 'holds the character U+061C at position 2, which no name may have: "a\\u061cb"'],
    ['a\u200bb', 'holds the character U+200B at position 2, which no name may have: "a\\u200bb"'],
  ])('has nothing around it and nothing in it that is not seen: %j', (name, message) => {
    const refused = { field: 'UserName', code: 'malformed', message, hint: 'Write it without that.' };
    expect(faultsOf(individual, { ...person, UserName: name })).toEqual([refused]);
    expect(checkText(individual.fields.UserName, name)).toEqual({ refused: message, hint: refused.hint });
  });

  it.each(['Anna Lena', 'Anna\u00a0Lena', 'نگار\u200cجان', '👩\u200d🔬', '\u200dx', 'ＡＢＣ'])(
    'may have in it what belongs to writing: %j',
    (FirstName) => {
      expect(check(individual, { ...person, FirstName }).values.FirstName).toBe(FirstName);
    },
  );

  it('is no text of several lines, which keeps every sign', () => {
    const Description = ' \u00a0two\n\tlines\u202e \n';
    expect(check(accountability, { ...item, Description }).values.Description).toBe(Description);
  });
});

describe('a text that is too long', () => {
  it('is refused with the limit and its length', () => {
    const error = refusal(accountability, { ...item, Name: 'x'.repeat(256) });
    expect(error.message).toBe('the accountability: Name is 256 characters long; the limit is 255');
    expect(error.faults).toMatchObject([{ field: 'Name', code: 'too_long' }]);
    expect(error.exit).toBe(7);
  });

  it('passes at the limit, counted in UTF-16 units', () => {
    expect(check(accountability, { ...item, Name: 'x'.repeat(255) }).values.Name).toHaveLength(255);
    expect(faultsOf(accountability, { ...item, Name: `${'🦉'.repeat(127)}xx` })).toMatchObject([{ code: 'too_long' }]);
    expect(check(accountability, { ...item, Name: `${'🦉'.repeat(127)}x` }).values.Name).toHaveLength(255);
  });

  it('has no limit where none is known', () => {
    const Description = 'x'.repeat(100_000);
    expect(check(accountability, { ...item, Description }).values.Description).toBe(Description);
  });
});

describe('several faults', () => {
  const body = { AncestorID: 'nobody', Rank: 1.5, Name: 'x'.repeat(256), Colour: 'red', rank: 2 };

  it('are reported at once, each with its member', () => {
    const error = refusal(accountability, body);
    expect(error.code).toBe('invalid');
    expect(error.faults.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'AncestorID malformed',
      'Colour unknown_member',
      'Description required',
      'Name too_long',
      'Rank malformed',
      'Rank unknown_member',
    ]);
    for (const { field } of error.faults) expect(error.message).toContain(field);
  });
});

describe('a value that stands alone', () => {
  let berlin: Zone;
  beforeAll(async () => {
    berlin = await zoneOf('Europe/Berlin');
  });

  it.each([
    [DELETED, '2', 2],
    [integer('required'), '-7', -7],
    [guid('required'), ID.toUpperCase(), ID],
    [day('optional'), '2026-03-31', '2026-03-31'],
    [text('optional', { max: 3 }), 'abc', 'abc'],
  ] as const)('is read by its kind', (field: Field, given, value) => {
    expect(checkText(field, given)).toEqual({ value });
  });

  it('is read in a zone', () => {
    const hired = contract.individual.fields.HireDate;
    expect(checkText(hired, '2026-07-01', berlin)).toEqual({ value: '2026-07-01T00:00:00+02:00' });
  });

  it.each([
    [DELETED, '3', 'is 3; allowed are 0 (exclude), 1 (only), 2 (include)'],
    [DELETED, 'all', 'is "all", not a whole number'],
    [text('optional', { max: 3 }), 'abcd', 'is 4 characters long; the limit is 3'],
  ])('is refused with the reason', (field: Field, given, refused) => {
    expect(checkText(field, given)).toEqual({ refused });
  });
});

describe('two records', () => {
  const { fields } = contract.individual;

  it('agree where the named members mean the same', () => {
    const a = { HireDate: '2026-07-01T00:00:00+02:00', FirstName: 'Ann', Prefix: null };
    const b = { HireDate: '2026-07-01T00:00:00.0+02:00', FirstName: 'Bea' };
    expect(agree(fields, ['HireDate', 'Prefix'], a, b)).toBe(true);
    expect(agree(fields, ['HireDate', 'FirstName'], a, b)).toBe(false);
    expect(agree(fields, ['HireDate'], a, { HireDate: '2026-06-30T22:00:00Z' })).toBe(false);
  });

  it('know a member in any case', () => {
    expect(fieldNamed(fields, 'hiredate')).toBe('HireDate');
    expect(fieldNamed(fields, 'Hire-Date')).toBeUndefined();
  });
});
