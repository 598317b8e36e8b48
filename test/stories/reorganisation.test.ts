// A re-organisation of a site as files: one person plans it, another one looks and approves, a third one makes it, and it is taken
// back as if it had never been.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { filesIn, siteFolder } from '../support/site-folder.ts';

const PASSWORD = 'Correct-horse-1';
const [PLANNER, APPROVER, MAKER, READER] = ['ruth.abrahams', 'admin', 'sara.bergstrom', 'ingrid.halvorsen'] as const;
const LEAVERS = ['bjorn.akesson', 'daniel.szabo', 'fatou.diallo', 'nils.aune', 'tiago.moreira'];
const STAYING = [PLANNER, APPROVER, MAKER, READER, 'admin'] as readonly string[];

const pm = usingPm(async (one) => {
  await one('seed --sample small --yes').says('Made');
  await one('permissions set emre.yildiz allow read,update department Production').prints();
  for (const who of [PLANNER, APPROVER, MAKER, READER])
    await one(`passwd ${who} --new-password-stdin`, { stdin: PASSWORD }).says('is set');
});

/** Where a primary membership is, and whom it reports to. */
const PRIMARY = /(?<=OrganizationID: ).*(\n +ReportsToID: ).*((?:\n +Title: .*)?\n +Primary: true)/;

/** Two departments are new, one is moved and one renamed, forty people change both department and manager, five leave. */
function reorganise(folder: string): readonly string[] {
  const harbour = (path: string): string => join(folder, 'departments/harbour-works', path);
  siteFolder(join(folder, 'departments/harbour-works'), {
    'digital.yaml': ['Rank: 9', 'Name: Digital'],
    'digital/data.yaml': ['Rank: 1', 'Name: Data'],
  });
  renameSync(harbour('engineering/hull-design.yaml'), harbour('production/hull-design.yaml'));
  renameSync(harbour('engineering/electric-drives.yaml'), harbour('engineering/drives-energy.yaml'));
  renameSync(harbour('engineering/electric-drives'), harbour('engineering/drives-energy'));
  for (const who of LEAVERS) rmSync(join(folder, `individuals/${who}.yaml`));
  const moved = Object.keys(filesIn(join(folder, 'individuals')))
    .map((file) => file.replace('.yaml', ''))
    .filter((who) => !STAYING.includes(who))
    .slice(0, 40);
  for (const [path, text] of Object.entries(filesIn(folder))) {
    const who = /^individuals\/(.+)\.yaml$/.exec(path)?.[1] ?? '';
    let edited = text
      .replaceAll('Harbour Works/Engineering/Hull Design', 'Harbour Works/Production/Hull Design')
      .replaceAll('Engineering/Electric Drives', 'Engineering/Drives & Energy')
      .replace('Name: Electric Drives', 'Name: Drives & Energy');
    if (path.endsWith('production/hull-design.yaml')) edited = `was: Harbour Works/Engineering/Hull Design\n${edited}`;
    if (path.endsWith('drives-energy.yaml')) edited = `was: Harbour Works/Engineering/Electric Drives\n${edited}`;
    const at = moved.indexOf(who);
    if (at >= 0)
      edited = edited.replace(
        PRIMARY,
        at % 2 === 0 ? `Harbour Works/Digital$1${READER}$2` : `Harbour Works/Digital/Data$1${PLANNER}$2`,
      );
    if (edited !== text) writeFileSync(join(folder, path), edited);
  }
  return moved;
}

const exported = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  await pm(`export --dir ${folder} -p local`).says();
  return filesIn(join(pm.home, folder));
};

describe.each(['the engine', 'a remote service'])('a re-organisation on %s', (place) => {
  const isHere = place === 'the engine';
  const by = (who: string, line: string) =>
    isHere
      ? pm(`${line} -p local --as ${who}`)
      : pm(`${line} -p prod`, { env: { PM_PASSWORD: PASSWORD, PM_USER: who } });

  it('is planned, looked at, approved, made by another one, and taken back', async () => {
    if (!isHere) await serve(pm);
    const before = await exported('site');
    const held = pm.dump();
    expect(reorganise(join(pm.home, 'site'))).toHaveLength(40);
    await by(PLANNER, 'apply site --prune individuals -n --out x.plan -o none').says('x.plan: 49 changes');
    const shown = await by(APPROVER, 'plan show x.plan -o md').prints(
      '49 changes: 2 creates of departments, 2 updates of departments, 40 updates of individuals, 5 deletes of individuals',
      '| Name | Electric Drives | Drives \\& Energy |',
      isHere ? '- Emre Yıldız gains, by the permissions on department Production: ' : 'cannot be known here',
    );
    const [run = '', hash = ''] = /pm (apply x\.plan --expect ([0-9a-f]{64}))/.exec(shown)?.slice(1) ?? [];
    await by(READER, 'plan show x.plan -o table').prints(
      hash,
      isHere ? 'is for administrators to see' : 'cannot be known',
    );
    expect(pm.dump()).toEqual(held);

    const { Job, Done } = await by(MAKER, `${run} --yes -o json`).row();
    expect(Done).toBe(49);
    await by(MAKER, 'diff site --exit-code').says('they do not differ');
    // The permissions that she may not see are not called new.
    if (isHere) await by(READER, 'diff site --exit-code').fails(11, 'site → local: 93 unclear');
    await by(MAKER, 'undo --yes -o none').says();
    expect(await exported('back')).toEqual(before);
    if (isHere) await pm(`diff local@${Job} local --exit-code`).says('they do not differ');
  });
});
