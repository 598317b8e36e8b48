// Flags that every command knows, wherever they stand, and where their values come from.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

describe('a global flag', () => {
  it('may stand behind the command, in front of it, before its verb, and in one word', async () => {
    const wanted = await pm('individuals list -o json --limit 1').prints(/^\[/);
    for (const line of [
      '-o json --limit 1 individuals list',
      '--limit=1 --output=json individuals list',
      '-ojson individuals list --limit 1',
      'individuals -o json --limit=1 list',
      '-o json individuals --limit 1 list',
    ])
      expect(await pm(line).prints()).toBe(wanted);
  });

  it('before the verb leaves a flag of the command where it is', async () => {
    await pm('profiles -o json list').prints(/^\[/);
    const wrong = 'individuals -o json --department Sales list';
    await pm.refuses(wrong, 2, "unknown option '--department'", 'come after it: pm individuals <verb> [flags]');
    await pm('individuals -h list').prints('Usage: pm individuals list ');
  });

  it('in front of the command works with help', async () => {
    await pm('--help individuals').prints('Examples, ');
    await pm('-o json individuals list --help').prints('More: --where');
  });

  it('is no flag behind --', async () => {
    await pm('individuals get --fields UserName -- ann').prints('ann');
    await pm('-o json individuals get -- ann').prints('"UserName": "ann"');
    await pm.refuses('individuals get -- -o', 6, 'there is no individual "-o"');
  });

  it.each([
    ['--wire', 'PM_WIRE', 'xml2', 'it can be json, xml'],
    ['--timeout', 'PM_TIMEOUT', 'long', 'it must be a whole number'],
    ['--rate', 'PM_RATE', '0', 'it must be a whole number'],
    ['--tz', 'PM_TZ', 'Nowhere/Land', 'Europe/Berlin'],
  ])('is refused by its name, and its variable by that: %s, %s', async (flag, variable, value, why) => {
    await pm.refuses(`individuals list ${flag} ${value}`, 2, `error: ${flag}`, value, why);
    await pm.refuses(`individuals update ann --last-name X ${flag} ${value}`, 2, `error: ${flag}`, value, why);
    await pm('individuals list', { env: { [variable]: value } }).fails(2, `error: ${variable}`, value, why);
  });

  it('that colours always colours errors, too', async () => {
    for (const line of ['individuals get nobody --color always', '--color=always individuals get nobody'])
      expect((await pm(line).fails(6)).err).toContain('\u001b[');
    const { err } = await pm('individuals get nobody --color never', { env: { PM_COLOR: 'always' } }).fails(6);
    expect(err).not.toContain('\u001b');
  });

  it('that prints nothing says nothing of what is shown', async () => {
    expect((await pm('individuals list --limit 1 -o none').says()).err).toBe('');
    expect((await pm('individuals list --where "LastName = \'Nobody\'" -o none').says()).err).toBe('');
    await pm.refuses('individuals list --limit 0', 2, '--limit is "0"', 'Leave it out');
  });

  it('wins over its variable', async () => {
    await pm('individuals get ann --tz +00:00 -o json', { env: { PM_TZ: '+05:30' } }).prints('T12:00:00.000+00:00');
    await pm('individuals get x --errors text', { env: { PM_ERRORS: 'json' } }).fails(6, /^error: /);
  });
});

describe('errors', () => {
  it('are two lines for people: what happened, and what to do next', async () => {
    const { err } = await pm('individuals get nobody').fails(6);
    expect(err).toBe('error: there is no individual "nobody"\nhint: pm individuals list shows what is there.\n');
  });

  it('are one JSON object a line with --errors json', async () => {
    const { err } = await pm('individuals get nobody noone --errors json').fails(6);
    const objects = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects).toHaveLength(2);
    expect(objects[0]).toMatchObject({
      code: 'not_found',
      category: 'not_found',
      exit: 6,
      retryable: false,
      message: 'there is no individual "nobody"',
      hint: 'pm individuals list shows what is there.',
      http: 404,
      row: null,
    });
  });

  it('are JSON even where the command line cannot be understood', async () => {
    for (const line of ['--errors json individuals lst', 'individuals lst --errors=json'])
      expect(JSON.parse((await pm(line).fails(2)).err)).toMatchObject({ code: 'usage', exit: 2, http: null });
    const { err } = await pm('nonsense', { env: { PM_ERRORS: 'json' } }).fails(2);
    expect(JSON.parse(err).code).toBe('usage');
  });

  it('name every faulty member with --errors json', async () => {
    const { err } = await pm('departments update Sales --rank one --picture ? --errors json').fails(7);
    const fields = JSON.parse(err).faults.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['--rank', '--picture']);
  });
});
