// The small sample: a company of sixty people that shows all a site can hold.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type contract, storedResources } from '../../src/contract/index.ts';
import { isSoft } from '../../src/contract/resource.ts';
import type { Stored } from '../../src/engine/store/port.ts';
import { everything, idsOf, type Seeded, seeded, seededOnce, TODAY } from './seeded.ts';

let site: Seeded;
beforeAll(async () => {
  site = await seeded({ sample: 'small' });
});
afterAll(() => site.engine.end());

const YEAR = 365 * 86_400_000;
const timesOf = (records: readonly Stored[], field: string): number[] =>
  records.map((record) => Date.parse(String(record[field]))).sort((a, b) => a - b);

describe('what it holds', () => {
  test.each(storedResources.map(({ name }) => name))('there is a live record of %s', async (name) => {
    expect(await site.rows(name)).not.toHaveLength(0);
  });

  test.each(storedResources.filter(isSoft).map(({ name }) => name))(
    'there is a record of %s that was deleted by itself',
    async (name) => {
      const gone = await site.rows(name, 1);
      expect(gone.filter(({ Deleted }) => Deleted === true)).not.toHaveLength(0);
    },
  );

  test('there are sixty people besides the administrator, in twelve departments of three levels', async () => {
    const departments = (await site.rows('organization')).filter(({ RowType }) => RowType === 56);
    expect(await site.rows('individual', 2)).toHaveLength(61);
    expect(departments).toHaveLength(12);
    // The organization is level 1.
    expect(new Set(departments.map(({ Level }) => Level))).toEqual(new Set([2, 3, 4]));
  });

  test('the individuals with --deleted 1 are those of 2 without those of 0', async () => {
    const [live, gone, all] = [
      await site.rows('individual', 0),
      await site.rows('individual', 1),
      await site.rows('individual', 2),
    ];
    expect(gone).not.toHaveLength(0);
    expect(idsOf(gone)).toEqual(idsOf(all).filter((id) => !idsOf(live).includes(id)));
  });

  test('what belongs to a deleted individual is deleted by reference, but for what was deleted before', async () => {
    const [henrik] = (await site.rows('individual', 1)).filter(({ UserName }) => UserName === 'henrik.baas');
    const own = (await site.rows('accountability', 1)).filter(({ AncestorID }) => AncestorID === henrik?.ID);
    expect(own.filter(({ DeletedByRef }) => DeletedByRef === true)).toEqual(own);
    expect(own.filter(({ Deleted }) => Deleted === true)).toHaveLength(1);
    expect(own.length).toBeGreaterThan(1);
  });

  test('one individual was deleted and undeleted again', async () => {
    const [ewa] = (await site.rows('individual')).filter(({ UserName }) => UserName === 'ewa.zielinska');
    const past = await site.engine.store.lines(String(ewa?.SiteID), 'individual', String(ewa?.ID));
    expect(past.map(({ what }) => what)).toEqual(['create', 'delete', 'undelete']);
  });

  test('comments are on organizations, departments, projects, individuals and dialogs', async () => {
    const kinds = new Set((await site.rows('comment')).map(({ AncestorType }) => AncestorType));
    expect(kinds).toEqual(new Set([4, 56, 15, 39, 9]));
  });

  test('commitments are of the organization, of departments and of individuals, some of them complete', async () => {
    const commitments = await site.rows('commitment');
    expect(new Set(commitments.map(({ AncestorType }) => AncestorType))).toEqual(new Set([4, 56, 39]));
    expect(new Set(commitments.map(({ Completed }) => Completed))).toEqual(new Set([true, false]));
    expect(new Set(commitments.map(({ MeasuresTotal }) => MeasuresTotal))).toEqual(new Set([5]));
  });

  test('rights are given on the site, on departments and on individuals, to users and to groups', async () => {
    const permissions = await site.rows('permission');
    const groups = new Set((await site.rows('securityGroup')).map(({ ID }) => ID));
    const owners = new Set((await site.rows('individual')).map(({ UserID }) => UserID));
    expect(permissions.some(({ PrincipalID }) => groups.has(PrincipalID ?? null))).toBe(true);
    expect(permissions.some(({ PrincipalID }) => owners.has(PrincipalID ?? null))).toBe(true);
    for (const resource of ['site', 'organization', 'individual']) {
      const there = new Set((await site.rows(resource)).map(({ ID }) => ID));
      expect(permissions.some(({ RowID }) => there.has(RowID ?? null))).toBe(true);
    }
  });

  test('everybody has one primary membership, and some have a second one', async () => {
    const memberships = await site.rows('organizationMember');
    const primary = memberships.filter(({ Primary }) => Primary === true);
    expect(primary.map(({ IndividualID }) => IndividualID).sort()).toEqual(idsOf(await site.rows('individual')));
    expect(memberships.length).toBeGreaterThan(primary.length);
    expect(memberships.filter(({ Leader }) => Leader === true)).toHaveLength(13);
  });

  test('the periods are the quarters of three years, each once', async () => {
    const spans = (await site.rows('period')).map(({ DateSpan }) => String(DateSpan));
    expect(spans).toHaveLength(12);
    expect(spans[0]).toBe('2025-01-01 to 2025-03-31');
    expect(spans[11]).toBe('2027-10-01 to 2027-12-31');
    expect(new Set(spans).size).toBe(12);
  });

  test('texts are of many scripts and hold what programs trip over', async () => {
    const texts = (await site.rows('comment')).map(({ Body }) => String(Body)).join('\n');
    for (const part of ['⛴️', '"', '&', '|', '<', 'é', 'ї', 'バ', '池', 'أ']) expect(texts).toContain(part);
  });
});

describe('its past', () => {
  test('reaches back more than a year and ends today', async () => {
    for (const [name, records] of Object.entries(await everything(site))) {
      for (const field of ['Created', 'Updated'].filter((one) => one in (records[0] ?? {}))) {
        expect(timesOf(records, field).at(-1), `${name}.${field}`).toBeLessThanOrEqual(TODAY.getTime());
      }
    }
    const [first = 0, ...others] = timesOf(await site.rows('comment', 2), 'Created');
    expect((others.at(-1) ?? 0) - first).toBeGreaterThan(YEAR);
  });

  test('nothing was changed before it was made', async () => {
    for (const record of Object.values(await everything(site)).flat()) {
      if (record.Updated) expect(String(record.Created) <= String(record.Updated)).toBe(true);
    }
  });

  test('was written by many: comments, talks and projects have several authors', async () => {
    for (const resource of ['comment', 'dialog', 'project', 'accountability']) {
      const authors = new Set((await site.rows(resource, 2)).map(({ CreatedBy }) => CreatedBy));
      expect(authors.size, resource).toBeGreaterThan(5);
    }
  });

  test('newcomers are made after the others, on the day they are hired', async () => {
    const people = await site.rows('individual');
    const tiago = people.find(({ UserName }) => UserName === 'tiago.moreira');
    const ingrid = people.find(({ UserName }) => UserName === 'ingrid.halvorsen');
    expect(Date.parse(String(tiago?.Created)) - Date.parse(String(ingrid?.Created))).toBeGreaterThan(YEAR);
    const late = Date.parse(String(tiago?.HireDate)) - Date.parse(String(tiago?.Created));
    expect(Math.abs(late)).toBeLessThan(4 * 86_400_000);
  });
});

describe('the tree of reporting', () => {
  test('leads from everybody to the managing director', async () => {
    const people = (await site.rows('individual', 2)).filter(({ LastName }) => LastName !== 'Administrator');
    const byID = new Map(people.map((one) => [one.ID ?? null, one]));
    for (const one of people) {
      let top: Stored | undefined = one;
      for (let step = 0; step < 10 && top && top.PrimaryReportsTo !== top.ID; step++) {
        top = byID.get(top.PrimaryReportsTo ?? null);
      }
      expect(top?.UserName).toBe('ingrid.halvorsen');
    }
  });
});

test('a second site seeded on the same day holds the same records, IDs included', async () => {
  const again = await seededOnce({ sample: 'small' });
  expect(await everything(again)).toEqual(await everything(site));
  expect(again.report).toEqual(site.report);
});

test('the report counts what was made', async () => {
  const { counts } = site.report;
  const made = async (resource: keyof typeof contract): Promise<number> => (await site.rows(resource, 2)).length;
  expect(counts.individuals).toBe((await made('individual')) - 1);
  expect(counts['department-members']).toBe((await made('organizationMember')) - 1);
  expect(counts.comments).toBe(await made('comment'));
  expect(counts['basic-role-dialogs']).toBe(await made('basicRoleDialog'));
});
