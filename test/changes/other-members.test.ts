// Members that a service has and the contract does not know: they can be chosen and set, and a service that refuses to get
// them back is told apart.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { strangeSite } from '../support/strange-site.ts';

const pm = usingPm();

describe.each(['json', 'xml'])('over %s, members that only the service knows', (wire) => {
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_WIRE: wire } });

  it('choose, sort and show records', async () => {
    const service = await strangeSite(pm, { knowsMore: true });
    const badge = String(service.all('individuals')[2]?.BadgeNumber);
    const which = ['--where', `badgenumber = '${badge}'`, '--sort', '-Callsign', '--fields', 'UserName,BadgeNumber'];
    const rows = await run(['individuals', 'list', ...which, '-o', 'json']).rows();
    expect(rows).toEqual([{ UserName: 'user11', BadgeNumber: badge }]);
  });

  it('choose the records that are changed', async () => {
    const service = await strangeSite(pm, { knowsMore: true });
    const badge = String(service.all('individuals')[2]?.BadgeNumber);
    await run(['individuals', 'update', '--where', `BadgeNumber = '${badge}'`, '--suffix', 'MA', '--yes']).says('Undo');
    expect(service.all('individuals').map(({ Suffix }) => Suffix ?? null)).toEqual(
      service.all('individuals').map(({ UserName }) => (UserName === 'user11' ? 'MA' : null)),
    );
  });

  it('are set, made empty, and set in a new record', async () => {
    const service = await strangeSite(pm, { knowsMore: true });
    const before = structuredClone(service.all('individuals')[1]);
    await run(['individuals', 'update', 'user10', '--set', 'callsign=Kit', '--clear', 'BadgeNumber']).says('Undo');
    expect(service.all('individuals')[1]).toMatchObject({ Callsign: 'Kit', BadgeNumber: null });
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ ...before });
    await run(['departments', 'create', '--name', 'Lab', '--rank', '2', '--set', 'Callsign=Den']).says('Undo');
    expect(service.all('departments')[1]).toMatchObject({ Name: 'Lab', Callsign: 'Den' });
  });

  it('are refused where no record has them', async () => {
    await strangeSite(pm, { knowsMore: true });
    await run(['individuals', 'update', 'user10', '--set', 'Callsig=Kit']).fails(2, 'no field Callsig', 'Callsign');
    await run(['individuals', 'list', '--where', "Callsig = 'x'"]).fails(2, 'no field "Callsig"', 'Callsign');
  });
});

describe('a service that refuses what only it knows', () => {
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });
  const rows = (): string => {
    const path = join(pm.home, 'rows.csv');
    writeFileSync(path, ['UserName,Suffix', 'user10,MA', 'user11,MA', 'user12,MA', ''].join('\n'));
    return path;
  };
  const HINT = 'pm profiles add s --drop-unknown';

  it('stops a job at its first row, which says so once', async () => {
    const service = await strangeSite(pm, { knowsMore: true, refusesMore: true });
    const line = ['import', 'individuals', rows(), '--key', 'UserName', '--mode', 'update', '--yes'];
    await run(line).fails(7, 'BadgeNumber cannot be set', 'BadgeNumber, Callsign', HINT);
    expect(service.received()).toEqual({ 'PUT individuals': 1 });
    await run(['profiles', 'add', 's', '--drop-unknown']).says('Changed');
    await run(line).says('Undo');
    expect(service.all('individuals').filter(({ Suffix }) => Suffix === 'MA')).toHaveLength(3);
    expect(service.all('individuals').every(({ Callsign }) => Callsign !== null)).toBe(true);
  });

  it('is not sent it by --drop-unknown, and by a profile that says so', async () => {
    const service = await strangeSite(pm, { knowsMore: true, refusesMore: true });
    const update = ['individuals', 'update', 'user10', '--suffix'];
    await run([...update, 'MA']).fails(7, 'cannot be set', HINT);
    await run([...update, 'MA', '--drop-unknown']).says('Undo');
    await run([...update, 'PhD']).fails(7, HINT);
    await run(['profiles', 'add', 's', '--drop-unknown']).says('Changed');
    await run([...update, 'PhD']).says('Undo');
    await run(['profiles', 'show', 's', '-o', 'json']).prints('"DropUnknown": true');
    await run(['profiles', 'add', 's', '--no-drop-unknown']).says('Changed');
    await run([...update, 'BA']).fails(7, HINT);
    expect(service.all('individuals')[1]).toMatchObject({ Suffix: 'PhD' });
  });
});
