// Errors on stderr: what, which, why, what next; and the exit code.
import { describe, expect, test } from 'vitest';
import { printError } from '../../src/cli/output/errors.ts';
import { invalid, ServiceError } from '../../src/contract/errors.ts';
import type { Next } from '../../src/contract/next.ts';
import { streams } from './output-printed.ts';

const PLAIN = { color: false, debug: false, calling: { shell: 'posix' } } as const;

type Options = Partial<Parameters<typeof printError>[1]> & { readonly json?: boolean };

function shown(error: unknown, { json = false, ...options }: Options = {}): { exit: number; err: string } {
  const io = { ...streams(), errorsAsJson: json };
  return { exit: printError(error, { ...PLAIN, ...options }, io), err: io.err() };
}

const TWO = invalid('the accountability', [
  { field: 'Name', code: 'too_long', message: 'is 256 characters long; the limit is 255' },
  { field: 'Rank', code: 'malformed', message: 'is "x", not a whole number', hint: 'Write a whole number.' },
]);

describe('for people', () => {
  test('a refusal is one line and its hint', () => {
    const error = new ServiceError('not_found', 'there is no individual ann@x', { hint: 'pm individuals list' });
    expect(shown(error)).toEqual({ exit: 6, err: 'error: there is no individual ann@x\nhint: pm individuals list\n' });
  });

  test('every fault has a line of its own', () => {
    expect(shown(TWO)).toEqual({
      exit: 7,
      err: [
        'error: the accountability: the values are not allowed',
        '  Name is 256 characters long; the limit is 255',
        '  Rank is "x", not a whole number',
        'hint: Rank: Write a whole number.',
        '',
      ].join('\n'),
    });
  });

  test('candidates follow, one a line', () => {
    const error = new ServiceError('ambiguous', '"Ann" fits 2 individuals', {
      candidates: ['ann@x', 'ann@y'],
      hint: 'Write the e-mail.',
    });
    expect(shown(error).err).toBe('error: "Ann" fits 2 individuals\n  ann@x\n  ann@y\nhint: Write the e-mail.\n');
  });

  test('what to do next is a command, in the quotes of the shell', () => {
    const next = { do: 'explain-rights', who: "o'neil", action: 'read', resource: 'project', id: 'x' } as const;
    const error = new ServiceError('forbidden', 'no', { next });
    expect(shown(error).err).toBe(String.raw`error: no
hint: pm can 'o'\''neil' read project x --why
`);
    expect(shown(error, { calling: { shell: 'powershell' } }).err).toContain("'o''neil'");
  });

  test('it stands behind the hint, and names the profile that it is for', () => {
    const next = { do: 'get', resource: 'project', id: 'x', profile: 'far' } as const;
    const error = new ServiceError('unknown_outcome', 'lost', {
      hint: 'Look at the record before you repeat the change.',
      next,
    });
    expect(shown(error).err).toBe(
      'error: lost\nhint: Look at the record before you repeat the change. pm projects get x -p far shows it.\n',
    );
  });

  test('it repeats the profile that was named, and for a job the journal', () => {
    const calling = { shell: 'posix', profile: 'far', journal: 'my jobs' } as const;
    const told = (next: Next): string => shown(new ServiceError('conflict', 'x', { next }), { calling }).err;
    expect(told({ do: 'resume-job', job: '3f2a' })).toContain("pm jobs resume 3f2a -p far --journal 'my jobs'\n");
    expect(told({ do: 'undelete', resource: 'project', id: 'x' })).toContain('pm projects undelete x -p far\n');
    expect(told({ do: 'undelete', resource: 'project', id: 'x', profile: 'near' })).toContain('x -p near\n');
    expect(told({ do: 'set-address', name: 'near' })).toContain('pm profiles add near --url <url>\n');
    // The variables of the environment are no profile that could be changed.
    expect(told({ do: 'set-address', name: 'environment' })).toContain('pm profiles add <profile> --url <url>\n');
    expect(told({ do: 'drop-unknown', name: 'environment' })).toContain('add <profile> --url <url> --drop-unknown\n');
    expect(told({ do: 'overwrite-drift' })).toContain(': --on-drift overwrite\n');
  });

  test('that of a fault is a command too', () => {
    const next = { do: 'list', resource: 'organization' } as const;
    const fault = { field: 'line 2', code: 'malformed', message: 'names nothing', next } as const;
    const error = new ServiceError('invalid', 'x', { faults: [fault] });
    const said = 'pm departments list shows what is there.';
    expect(shown(error).err).toContain(`hint: ${said}\n`);
    expect(JSON.parse(shown(error, { json: true }).err).faults).toEqual([{ ...fault, hint: said }]);
  });

  test('where a list demands an owner, its help is the way', () => {
    const error = new ServiceError('not_found', 'x', { next: { do: 'list', resource: 'metricValue' } });
    expect(shown(error).err).toContain('hint: pm metric-values list --help shows how to look for it.\n');
  });

  test('what a newer pm left in a journal is passed over', () => {
    const next = { do: 'dance' } as unknown as Next;
    expect(shown(new ServiceError('conflict', 'x', { hint: 'Wait.', next })).err).toBe('error: x\nhint: Wait.\n');
    expect(shown(new ServiceError('conflict', 'x', { next })).err).toBe('error: x\n');
  });

  test('the row of the input is named', () => {
    expect(shown(new ServiceError('not_found', 'gone'), { row: 12 }).err).toBe('error: row 12: gone\n');
  });

  test('text from records cannot steer the terminal', () => {
    const evil = new ServiceError('not_found', 'a\x1b[2J', { hint: 'b\x1b', candidates: ['c\x9b'] });
    expect(shown(evil).err).toBe('error: a\\x1b[2J\n  c\\x9b\nhint: b\\x1b\n');
  });

  test('colour is on the first word only', () => {
    expect(shown(new ServiceError('busy', 'x'), { color: true }).err).toBe('\x1b[31merror:\x1b[39m x\n');
  });
});

describe('for programs', () => {
  test('one object a line holds everything', () => {
    const { err, exit } = shown(TWO, { json: true, row: 3 });
    expect(err.trimEnd()).not.toContain('\n');
    expect(JSON.parse(err)).toEqual({
      code: 'invalid',
      category: 'rejected',
      exit: 7,
      retryable: false,
      message: TWO.message,
      hint: 'Write a whole number.',
      http: 400,
      row: 3,
      faults: TWO.faults,
    });
    expect(exit).toBe(7);
  });

  test('what to do next is data beside its command', () => {
    const next = { do: 'undelete', resource: 'project', id: 'x' } as const;
    const { err } = shown(new ServiceError('deleted', 'gone', { next }), { json: true });
    expect(JSON.parse(err)).toMatchObject({ hint: 'pm projects undelete x', next });
  });

  test('what never came from an endpoint has no HTTP status', () => {
    expect(JSON.parse(shown(new ServiceError('usage', 'x'), { json: true }).err)).toMatchObject({
      http: null,
      row: null,
      hint: null,
    });
  });
});

describe('exit codes', () => {
  test.each([
    [new ServiceError('interrupted', 'interrupted'), 130],
    [new ServiceError('confirmation', 'x'), 12],
    [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 141],
    [Object.assign(new Error('no space left'), { code: 'ENOSPC' }), 10],
    [Object.assign(new Error('i/o'), { code: 'EIO' }), 10],
    [new TypeError('x is undefined'), 70],
    ['a text that was thrown', 70],
  ])('%s is %i', (error, exit) => {
    expect(shown(error).exit).toBe(exit);
  });

  test('a defect says so, and shows its stack only when asked', () => {
    const error = new TypeError('x is undefined');
    expect(shown(error).err).toContain('this is a defect in pm');
    expect(shown(error).err).not.toContain('at ');
    expect(shown(error, { debug: true }).err).toContain('output-errors.test.ts');
  });
});
