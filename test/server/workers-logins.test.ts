// Logins at pm serve --workers: what comes to one worker holds at the others with the next request.
import { expect, it } from 'vitest';
import { PASSWORD } from '../support/served-home.ts';
import { type Answer, linesToEach, servedByWorkers, usingWorkers } from './workers.ts';

const fleet = usingWorkers();
const NEW = 'Another-horse-2';

it('a password that is changed through one worker is refused by another at once', async () => {
  const [one, other] = await linesToEach(fleet());
  const { body: me } = await one.ask('GET', '/v4/me');
  for (const line of [one, other]) expect((await line.ask('GET', '/v4/me')).status).toBe(200);
  for (const [before, after] of [
    [PASSWORD, NEW],
    [NEW, PASSWORD],
  ] as const) {
    const body = { ...me, Password: after };
    expect(await one.ask('PUT', `/v4/individuals/${String(me.ID)}`, { password: before, body })).toMatchObject({
      status: 200,
    });
    expect((await other.ask('GET', '/v4/me', { password: before })).status).toBe(401);
    expect((await other.ask('GET', '/v4/me', { password: after })).status).toBe(200);
  }
});

it('a session that begins at one worker holds at another, until it ends there', async () => {
  const [one, other] = await linesToEach(fleet());
  const { body } = await one.ask('POST', '/v4/login', { body: { UserName: 'admin', Password: PASSWORD } });
  const password = `{SessionToken}${String(body.Token)}`;
  for (const line of [one, other, one]) expect((await line.ask('GET', '/v4/me', { password })).status).toBe(200);
  expect((await other.ask('DELETE', '/v4/login', { password })).status).toBeLessThan(300);
  for (const line of [one, other]) expect((await line.ask('GET', '/v4/me', { password })).status).toBe(401);
});

it('failed logins count together, whichever worker they come to', async () => {
  const [one, other] = await linesToEach(await servedByWorkers());
  const answers: Answer[] = [];
  for (const line of [one, other, one, other, one])
    answers.push(await line.ask('GET', '/v4/me', { password: 'wrong' }));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  for (const line of [one, other]) expect((await line.ask('GET', '/v4/me', { password: 'wrong' })).status).toBe(429);
});
