// The table of benchmarks, for the terminal and for the help topic.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { driverFor, sqliteVersion } from '../../src/engine/store/sqlite/driver.ts';
import type { Line } from './line.ts';

const HEAD = ['', 'Work', 'Ours', 'Limit', 'Ratio', 'Goal', 'Memory', 'Met'] as const;

/** The table as Markdown, its columns aligned. */
export function table(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cells)];
  const widths = HEAD.map((_, i) => Math.max(3, ...rows.map((row) => row[i]?.length ?? 0)));
  const written = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}

const cells = ({ row, what, ours, limit, ratio, goal, memory, met }: Line): readonly string[] => [
  row,
  what,
  ours,
  limit,
  ratio,
  goal,
  memory ?? '',
  met === undefined ? '' : met ? 'yes' : 'no',
];

/** Writes the help topic, in the sources and beside the built program. */
export function writeTopic(root: string, recent: string, lines: readonly Line[]): void {
  const topic = join(root, 'src/cli/help/benchmarks.md');
  writeFileSync(topic, `${[TITLE, machine(root, recent), table(lines), MEANING].join('\n\n')}\n`);
  copyFileSync(topic, join(root, 'dist/help/benchmarks.md'));
}

const TITLE = 'BENCHMARKS';

const MEANING = `The limit is a bare program that does the same work on the same data and checks nothing:

- P1, P2 and P14: \`node -e 0\` of the same Node, a whole process that does nothing at all. pm keeps its
  compiled code from one command to the next, and shows a page of help from the file that the build has made of it.
- P3 and P4: a bare program that loads better-sqlite3, reads the same records by one statement and writes them as indented
  JSON: no command that reads the file costs less. Below it stands what it costs beside \`node -e 0\`.
- P5: csv-parse and better-sqlite3, one prepared insert for each row in one transaction, without history or journal. The
  durable writes alone are those of the import, with plan, history and marks in as many commits, by prepared statements.
- P6: better-sqlite3 row by row, and \`JSON.stringify\`.
- P7: two prepared inserts for each record, the row and its line of history, in one transaction.
- P8: Fastify that looks one Authorization header up in a map, reads the row by better-sqlite3 and writes it by
  \`JSON.stringify\`. wrk puts on the load where it is installed, and takes a part of the same cores. Beside it stands what
  Fastify does that answers constant bytes. pm sends what it answers in one turn of its event loop together, and the bare
  program each answer by itself: where a client sleeps until it is answered, waking it costs as much as the answer.
- P9: better-sqlite3, one insert after the other, each committed and on the disk before the next one; no line of history.
- P10: undici that posts the same rows to the same server, over as many connections, and keeps no journal.
- P11: the same list as JSON.
- P12: the same work where there are 1,000 records. In both sites as many different ones are asked for, from all over it.
  A get of the larger site reads nothing from the disk either, but each record stands on pages of its own, which are in
  memory and not in the processor's cache; of a few records asked for again and again it costs little more. So the goal of
  a get is what the bare select grows by.
- P13: one UPDATE of as many rows.
- P15: a quarter of a second. A fact is a commitment, the value of a metric, a dialog or a task.
- P16: the same list for an administrator, for whom no rights are asked.
- P17: the same with the better of \`--concurrency 4\` and \`--concurrency 8\`, between which pm finds its number.
- P18: the same records in JSON.
- P19: a second, in which the site is copied and the history taken back.
- P22: both sites listed, one after the other.
- P23: the same list as JSON on the same terminal, which is 240 columns wide.
- PostgreSQL: a server on the same machine, whose programs take a part of the same cores; the limit is pm on SQLite. pgbench
  sends the statements of a request in as many round trips and checks nothing. Each of its creates is a transaction; those
  of pm that wait for each other share one. Left out where no server is installed.

Both take turns in the same run, and the median counts. \`npm run bench\` measures anew and writes this page;
\`npm run bench -- --full\` does so with a million records, which takes some minutes.`;

function machine(root: string, recent: string): string {
  const read = (file: string): { version: string } => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const processor = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  const versions = [
    `pm ${read('package.json').version}`,
    `Node ${process.versions.node} (P1 to P4, P14: ${recent})`,
    `better-sqlite3 ${read(`node_modules/${driverFor(process.versions)}/package.json`).version}`,
    `SQLite ${sqliteVersion()}`,
  ];
  return `Measured on ${processor}, ${memory}, ${platform()} ${arch()}:\n${versions.join(', ')}.`;
}
