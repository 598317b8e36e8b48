// A back end that ignores the IDs of new records and gives its own.
import type { Backend, Input, Session } from '../../src/contract/call.ts';

export const ignoringIDs = (backend: Backend): Backend => ({
  open: async (who) => ignoring(await backend.open(who)),
  login: (credential) => backend.login(credential),
  close: () => backend.close(),
});

const ignoring = (session: Session): Session => ({
  ...session,
  call: (operation, input = {}) => session.call(operation, operation.verb === 'create' ? withoutID(input) : input),
});

function withoutID(input: Input): Input {
  const { ID: _its, ...body } = input.body ?? {};
  return { ...input, body };
}
