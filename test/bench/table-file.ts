// Files of accountabilities, as somebody hands them to pm import: a few of each individual, one individual after the other.
import { closeSync, openSync, writeSync } from 'node:fs';
import { accountability } from './site.ts';

const PIECE = 10_000;

/** Writes a CSV file of so many rows about these individuals. */
export function writeTable(file: string, owners: readonly string[], count: number): void {
  const each = Math.ceil(count / owners.length);
  const opened = openSync(file, 'w');
  for (let start = 0; start < count; start += PIECE) {
    const rows = Array.from({ length: Math.min(PIECE, count - start) }, (_, i) =>
      accountability(owners[Math.floor((start + i) / each)] ?? '', start + i),
    );
    const header = start === 0 ? `${Object.keys(rows[0] ?? {}).join(',')}\n` : '';
    writeSync(opened, header + rows.map((row) => `${Object.values(row).join(',')}\n`).join(''));
  }
  closeSync(opened);
}
