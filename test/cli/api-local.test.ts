// pm api on the embedded engine: it answers as pm serve would.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

describe('pm api on the local profile', () => {
  it('answers as the endpoint does, as the caller', async () => {
    const me = JSON.parse(await pm('api GET /me').prints()) as { readonly UserName: string };
    expect(me.UserName).toBe('admin');
    expect(JSON.parse(await pm('api GET /v4/me --as ann').prints())).toMatchObject({ UserName: 'ann' });
    expect(await pm("api GET /users --jmespath '[].UserName | sort(@)'").prints()).toBe('admin\nann\nbob\n');
    expect(await pm('api GET /me --wire xml').prints('<UserName>admin</UserName>')).toMatch(/\n$/);
    await pm('api GET /me -i').prints('HTTP 200', 'etag: ');
  });

  it('makes changes, and rehearses none', async () => {
    const labs = await pm('departments get Labs -o id').id();
    const body = await pm(`api GET /departments/${labs}`).prints();
    const renamed = { stdin: body.replace('"Labs"', '"Atelier"') };
    await pm(`api PUT /departments/${labs} --input - -n`, renamed).says('▲ local as admin – PUT /v4/departments/');
    await pm('departments get Labs').prints();
    await pm(`api PUT /departments/${labs} --input -`, renamed).prints('"Atelier"');
    await pm('departments get Atelier').prints();
    await pm(`api DELETE /departments/${labs}`).fails(12, '--yes');
  });

  it('refuses with the exit codes of the service', async () => {
    const { out } = await pm('api GET /individuals/0f8fad5b-d9cb-469f-a165-70867728950e').fails(6, 'error: ');
    expect(JSON.parse(out)).toMatchObject({ status: 404, code: 'not_found' });
    await pm('api GET /nothing').fails(6, 'no such address');
    await pm('api POST /departments -F Name=x').fails(7, 'Rank');
    await pm('api POST /login').fails(7);
  });
});
