// Answers of one turn of the event loop: the first is sent at once, and the others together.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sendingTogether } from '../../src/server/operations.ts';
import { overBackend } from './served.ts';

it('sends the first answer of a turn at once, and the others together at its end', async () => {
  const whenToSend = sendingTogether();
  const sent: string[] = [];
  const send = async (answer: string): Promise<void> => {
    await whenToSend();
    sent.push(answer);
  };
  const all = ['first', 'second', 'third'].map(send);
  await Promise.resolve();
  expect(sent).toEqual(['first']);
  await Promise.all(all);
  expect(sent).toEqual(['first', 'second', 'third']);
});

it('lets nobody wait for who asked in an earlier turn', async () => {
  const whenToSend = sendingTogether();
  for (let turn = 0; turn < 3; turn++) {
    expect(whenToSend()).toBeUndefined();
    await endOfTurn();
  }
});

it('answers each of many who ask at once with what he asked for', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `name${n}`);
  const server = await overBackend({
    call: async (_operation, input) => ({ UserName: String(input?.params?.id) }),
  });
  try {
    const answers = await Promise.all(names.map((name) => server.ask('GET', `/v4/individuals/${name}`)));
    expect(answers.map((answer) => answer.json().UserName)).toEqual(names);
  } finally {
    await server.close();
  }
});
