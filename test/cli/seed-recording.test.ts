// The small sample lies in a file of the program. Where that is missing or damaged, pm says so and makes nothing.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { programCopy } from '../support/program-copy.ts';

const FILE = 'dist/samples/small.jsonl';

it.each([
  ['is missing', undefined, 'there is no file'],
  ['was cut off between two lines', (lines: string[]) => lines.slice(0, 900), 'does not end with {"end":true}'],
  ['was cut off within a line', (lines: string[]) => [...lines.slice(0, 9), '{"at":"20'], 'line 10 of'],
  ['has no day at its beginning', (lines: string[]) => lines.slice(1), 'the day on which it was recorded'],
  ['names no resource', (lines: string[]) => lines.with(7, '{"at":"2024-04-03T10:00:00Z","do":"add x"}'), 'line 8 of'],
  ['tells no time', (lines: string[]) => lines.with(7, '{"at":"noon","do":"add task"}'), 'line 8 of'],
])('a recording that %s is an error in plain words', (_, damage, said) => {
  const copy = programCopy();
  symlinkSync(resolve('node_modules'), join(copy.folder, 'node_modules'));
  const file = join(copy.folder, FILE);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  if (damage) writeFileSync(file, `${damage(lines).join('\n')}\n`);
  else rmSync(file);
  const { exit, err } = copy.run('seed --sample small');
  expect(err).toContain('error: the small sample cannot be read: ');
  expect(err).toContain(said);
  expect(err).toContain(file);
  expect(err).toContain('hint: Install pm again');
  expect(exit).toBe(7);
  expect(copy.run('individuals list -o csv --fields UserName').out).toBe('UserName\nann\n');
});
