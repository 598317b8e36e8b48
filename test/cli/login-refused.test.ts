// A login that a service refuses, or that reaches none: what there is to look at.
import { expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm } = usingServedCompany();

it('as somebody else, it asks whether there is such a user', async () => {
  await pm('individuals list -p prod --as zoe', { env: { PM_PASSWORD: 'Correct-horse-1' } }).fails(
    4,
    'Is there a user zoe',
    'pm login -p prod',
  );
});

it('of the variables, it names them', async () => {
  const { URL } = await pm('profiles show prod -o json').row();
  const env = { PM_URL: String(URL), PM_USER: 'admin', PM_PASSWORD: 'Wrong-horse-1' };
  await pm('individuals list', { env }).fails(4, 'Check PM_USER and PM_PASSWORD');
});

it('pm doctor asks for the address and the service, and does not lead to itself', async () => {
  const env = { PM_URL: 'http://127.0.0.1:1', PM_USER: 'admin', PM_PASSWORD: 'Correct-horse-1' };
  const { out } = await pm('doctor -o json', { env });
  const service = JSON.parse(out).find(({ Check }: { Check: string }) => Check === 'service');
  expect(service).toMatchObject({ State: 'fault', Advice: 'Does the service run, and is that its address?' });
});
