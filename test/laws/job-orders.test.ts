// Commands on jobs of a service in any order, with kills: each does what the table of pm help changes says, and nothing is lost or doubled.
import { describe } from 'vitest';
import type { Backend } from '../../src/contract/call.ts';
import { journalAt, journalFile } from '../engine/job-fixture.ts';
import { ANSWERS, type Says } from '../support/answering.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { inLong } from '../support/long.ts';
import { newSite } from '../support/site.ts';
import { play } from './play-orders.ts';

/** Of each habit of answers. */
const FEW = inLong(3, 200);

type ServiceOver = (behind: Backend) => Backend;

describe.each<[string, ServiceOver, Says?]>([
  ['pm serve', (behind) => behind],
  ['a service that gives IDs of its own', ignoringIDs],
  ...Object.entries(ANSWERS).flatMap(([what, says]): [string, ServiceOver, Says][] => [
    [`a service that ${what}`, (behind) => behind, says],
    [`a service that ${what}, and gives IDs of its own`, ignoringIDs, says],
  ]),
])('on %s', (_, serviceOver, says) => {
  let behind: Backend;
  const { client } = usingClient('application/json', () => behind, says);
  play(
    async () => {
      const { engine, ada } = await newSite();
      behind = serviceOver(engine.backend);
      const session = await client().open(await credentialOn(engine.backend));
      return { session, engine: ada.session, jobs: await journalAt(journalFile()) };
    },
    says ? FEW : undefined,
  );
});
