// pm <resource> create on a terminal: every dialog is answered to its end, and makes the record.
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultsFor, isDemanded } from '../../src/changes/plan/required-fields.ts';
import { candidatesFor } from '../../src/cli/input/dialog.ts';
import { type FieldFlag, fieldFlags } from '../../src/cli/names.ts';
import type { Field } from '../../src/contract/field.ts';
import { contract, type ResourceName, resources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import type { Body } from '../../src/contract/validate.ts';
import { inDialog } from '../support/dialog.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { siteOn, type TestSite, TODAY } from '../support/site.ts';
import type { Step } from '../support/terminal.ts';
import { screenOf } from '../support/terminal-lines.ts';

let engine: TestEngine;
let site: TestSite;
beforeAll(async () => {
  engine = await newEngine(new Date(TODAY));
  site = await siteOn(engine);
});
afterAll(() => engine.end());

const play = (command: string, steps: readonly Step[], ...flags: readonly string[]) =>
  inDialog([command, 'create', ...flags, '-o', 'id', '--as', 'ada'], dirname(engine.file), steps);

/** What a dialog must ask for: what is needed, and an owner that would be the site without a word. */
const askedOf = (resource: Resource, body: Body): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(([name, field]) => {
    const isNeeded = isDemanded(field) && defaultsFor(resource, site.id, body)[name] === undefined;
    return isNeeded || (field.owner && field.to?.includes('site') && body[name] !== undefined);
  });

/** The word of a number that has one; the first of a list; a record by its ID; otherwise what the body holds. */
async function stepsFor(resource: Resource, name: string, field: Field, body: Body): Promise<readonly Step[]> {
  if (isListed(name)) return [[name, '\r']];
  const flags = fieldFlags(resource).filter((flag) => flag.name === name);
  if (flags.some(({ targets }) => targets.length > 0)) return searched(flags, field, String(body[name]));
  return [[name, `${field.choices ? field.choices[Number(body[name])] : body[name]}\r`]];
}

/** Members that are chosen from a short list of what the site has. */
const isListed = (name: string): boolean => ['PeriodID', 'PhaseID', 'RoleID'].includes(name);

/** A list that is searched takes Enter when it shows the record. */
async function searched(flags: readonly FieldFlag[], { owner, to }: Field, id: string): Promise<readonly Step[]> {
  const search = candidatesFor(site.ada.session, flags);
  const [[first], [wanted]] = [await search(''), await search(id)];
  const isFirst = first?.label === wanted?.label && !(owner && to?.includes('site'));
  const chosen: Step = [`❯ ${wanted?.label}`, '\r'];
  return isFirst ? [chosen] : [[flags[0]?.name ?? '', id], chosen];
}

const creating = resources.filter(({ operations }) => operations.create?.verb === 'create');

describe('the dialog', () => {
  it.each(creating)('of $command asks for all that is needed, and makes the record', async (resource) => {
    const name = resource.name as ResourceName;
    const body = await site.ada.body(name);
    const asked = askedOf(resource, body);
    const steps = await Promise.all(asked.map(([member, field]) => stepsFor(resource, member, field, body)));
    const told = await play(resource.command, steps.flat());
    expect(told).toMatchObject({ exit: 0 });
    const id = told.out.trimEnd().split('\n').at(-1)?.trim() ?? '';
    const { row: made } = await site.ada.session.find.record(name, { id });
    const said = asked.flatMap(([member]) => (isListed(member) ? [] : [[member, body[member]]]));
    expect(made).toMatchObject(Object.fromEntries(said));
    for (const [member] of asked) expect(made?.[member], member).not.toBeNull();
  });

  it('asks again where an answer is wrong, before the next question', async () => {
    const told = await play('colors', [
      ['Rank', 'one\r'],
      ['Rank is "one", not a whole number', '\u00159\r'],
      ['Name', `${'x'.repeat(51)}\r`],
      ['the limit is 50', '\u0015Gold\r'],
      ['Code', '\r'],
      ['Code is required', 'gold\r'],
      ['Code is "gold"', '\u0015ffd700\r'],
    ]);
    expect(told).toMatchObject({ exit: 0, out: expect.stringContaining('1 create') });
  });

  it('asks again for a name that nobody has, a day that is none, and a user name that is taken', async () => {
    const { FirstName, LastName, Email } = await site.ada.body('individual');
    const told = await play(
      'individuals',
      [
        ['PrimaryOrganizationID', 'Nowhere'],
        ['there is no department "Nowhere"', '\u0015Test'],
        ['❯ Test', '\r'],
        ['❯ ada', '\r'],
        ['UserName', 'ADA\r'],
        ['UserName "ADA" is taken', '\u0015ines\r'],
      ],
      ...['--first-name', String(FirstName), '--last-name', String(LastName)],
      ...['--email', String(Email), '--primary-title', 'Guide'],
    );
    expect(told.exit).toBe(0);
    const [made] = (await site.ada.session.find.byName('individual', 'UserName', 'ines')) ?? [];
    expect(made).toMatchObject({ Email, UserEmail: Email, PrimaryReportsTo: site.ada.id });
    const period = await play('periods', [
      ['StartDate', '2026-02-30\r'],
      ['which is not a real date', '\u00152031-01-01\r'],
      ['EndDate', '2031-03-31\r'],
    ]);
    expect(period.exit).toBe(0);
  });

  it('prints what was typed as a command, where it fails or is left', async () => {
    const told = await play('periods', [
      ['StartDate', '2033-03-01\r'],
      ['EndDate', '2033-01-31\r'],
    ]);
    const typed =
      /What was typed: pm (.*)/.exec(
        screenOf(told.out)
          .join('')
          .replaceAll(/(?=error:)/g, '\n'),
      )?.[1] ?? '';
    expect(told).toMatchObject({ exit: 7 });
    expect(typed).toBe(
      'periods create --output id --as ada --start-date 2033-03-01T00:00:00+00:00 --end-date 2033-01-31T00:00:00+00:00',
    );
    const left = await play('departments', [
      ['❯ none: a new organization', 'test'],
      ['❯ Test', '\r'],
      ['Rank', '-1\r'],
      ['Name', '\u0003'],
    ]);
    expect(left).toMatchObject({ exit: 130 });
    expect(screenOf(left.out).join('')).toContain('--parent Test --rank=-1error: interrupted');
  });

  it('wants an e-mail address that is one, and says what no owner means', async () => {
    const told = await play(
      'individuals',
      [
        ['Email', 'nora@@x\r'],
        ['"nora@@x" is not an e-mail address', '\u0003'],
      ],
      ...['--first-name', 'Nora', '--last-name', 'Holm'],
    );
    expect(told.exit).toBe(130);
    expect(told.out).not.toContain('What was typed');
  });

  it('offers the answers of which there are few, and says what an owner can be', async () => {
    const { TaskID } = await site.ada.body('teamMember');
    const { Name } = await site.ada.get('project', String(TaskID));
    const { operations } = contract.teamMember;
    const roles: string[] = [];
    for await (const { Group } of site.ada.session.list(operations.roles)) roles.push(String(Group));
    const told = await play(
      'team-members',
      [
        ['TaskID (The project) – project, by name or ID', String(TaskID)],
        [`❯ ${String(Name)}`, '\r'],
        [roles[1] as string, '\u001b[B\r'],
      ],
      ...['--individual', 'ada', '--hours-projected', '1', '--hours-actual', '0'],
    );
    expect(told.exit).toBe(0);
    for (const role of roles) expect(told.out).toContain(role);
    const id = told.out.trimEnd().split('\n').at(-1)?.trim() ?? '';
    expect((await site.ada.session.find.record('teamMember', { id })).row).toMatchObject({ RoleName: roles[1] });
  });
});
