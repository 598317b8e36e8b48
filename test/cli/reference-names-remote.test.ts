// Names of references on a remote service: out of lists that were read, and a few records besides.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  for (const name of ['cleo', 'dora', 'emil', 'finn']) {
    const boss = { cleo: 'ann', dora: 'bob', emil: 'cleo', finn: 'dora' }[name] ?? '';
    await one(individual(name, `${name} Young`, 'Labs', boss)).prints();
  }
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

servedAsProd(pm);

/** What the command prints on a wide terminal, and the addresses that it asks for. */
async function asking(line: string): Promise<{ out: string; asked: readonly string[] }> {
  const trace = join(pm.home, 'asked.trace');
  const env = { PM_PASSWORD: PASSWORD, PM_COLOR: 'never' };
  const out = await pm(`${line} -p prod --trace ${trace} --overwrite`, { env, columns: 160 }).prints();
  const requests = readFileSync(trace, 'utf8').matchAll(/> (?:GET|PUT|POST) \S+\/v4(\S*)/g);
  return { out, asked: [...requests].map(([, path = '']) => path.replace(/[0-9a-f-]{36}/, '#')) };
}
const idOf = (line: string): Promise<string> => pm(`${line} -o id -p local`).id();

describe('a record that is named', () => {
  it('shows the names of others out of the list that found it', async () => {
    const { out, asked } = await asking('individuals get bob');
    expect(out).toMatch(/\nPrimaryReportsTo +Ann Smith {2}/);
    expect(out).toMatch(/\nCreatedBy +admin Administrator {2}/);
    expect(asked).toEqual(['/me', '/users', '/individuals/#']);
  });
});

describe('a record with its ID', () => {
  it('needs a request for each name', async () => {
    const { out, asked } = await asking(`individuals get ${await idOf('individuals get bob')}`);
    expect(out).toMatch(/\nPrimaryReportsTo +Ann Smith {2}/);
    expect(asked).toEqual(['/me', '/individuals/#', '/individuals/#', '/individuals/#']);
  });
});

describe('a list', () => {
  it('asks for two records at most, however many its rows name', async () => {
    const { out, asked } = await asking('department-members list --department Labs --fields Name,ReportsToID');
    // The four of Labs report to four people; the list has no order that is the same each time.
    expect(out.match(/[a-z] Young +[0-9a-f]{8}-/g)).toHaveLength(2);
    expect(out.match(/[a-z] Young +[A-Za-z]+ (?:Smith|Stone|Young)/g)).toHaveLength(2);
    expect(asked.filter((path) => path === '/individuals/#')).toHaveLength(2);
  });
});

describe('a rehearsal', () => {
  it('names what it changes, and what that refers to, out of the lists that it reads', async () => {
    const { out, asked } = await asking('individuals update bob --primary-organization Labs -n');
    expect(out).toMatch(/Bob Stone +PrimaryOrganizationID +EMEA +Labs/);
    expect(asked).toEqual(['/me', '/users', '/departments', '/individuals/#']);
  });
});
