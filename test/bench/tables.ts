// P23: a list as a table on a terminal, against the same list as JSON on the same terminal.
import { execFileSync, spawnSync } from 'node:child_process';
import { type Line, timesLine } from './line.ts';
import { pm } from './processes.ts';
import { makeIndividuals, newSite } from './site.ts';
import { medians } from './timing.ts';

const COUNT = 1000;
const ROUNDS = 21;
const GOAL = 4;
/** Ten columns, which the terminal has room for. */
const FIELDS =
  'UserName,FullName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationName,PrimaryReportsTo,Created,IsAdmin';
const COLUMNS = 240;

/** Nothing is measured where no terminal can be played. */
export async function tables(root: string): Promise<readonly Line[]> {
  if (spawnSync('python3', ['-c', 'import pty']).status !== 0) {
    process.stderr.write('not run: python3 plays no terminal here\n');
    return [];
  }
  const site = await newSite();
  await makeIndividuals(site, COUNT - 1);
  await site.close();
  try {
    const command = pm(root, `individuals list --fields ${FIELDS}`);
    const time = (format: string) => () =>
      terminalTime([...command, '-o', format], { PM_HOME: site.home, USER: site.user });
    const what = `table of ${COUNT.toLocaleString('en')} rows and ten columns on a terminal`;
    const times = await medians(ROUNDS, { ours: time('table'), limit: time('json') });
    return [timesLine({ row: 'P23', what, goal: GOAL, ...times })];
  } finally {
    await site.end();
  }
}

/** The milliseconds of a process of Node on a terminal, from its start to the end of its output. */
const terminalTime = (args: readonly string[], env: NodeJS.ProcessEnv): number =>
  Number(
    execFileSync('python3', ['-c', TERMINAL, String(COLUMNS), process.execPath, ...args], {
      env: { ...process.env, CI: '', ...env },
      encoding: 'utf8',
    }),
  );

const TERMINAL = `
import fcntl, os, pty, struct, sys, termios, time
start = time.perf_counter()
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
try:
    while os.read(terminal, 65536):
        pass
except OSError:
    pass
_, status = os.waitpid(pid, 0)
if status != 0:
    sys.exit(f"it ended with {os.waitstatus_to_exitcode(status)}")
print((time.perf_counter() - start) * 1000)
`;
