// Commands on jobs of a service in any order, with kills: each does what the table of pm help changes says, and nothing is lost or doubled.
import { describe } from 'vitest';
import type { Backend } from '../../src/contract/call.ts';
import { journalAt, journalFile } from '../engine/job-fixture.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { newSite } from '../support/site.ts';
import { play } from './play-orders.ts';

describe.each([
  ['pm serve', (behind: Backend) => behind],
  ['a service that gives IDs of its own', ignoringIDs],
])('on %s', (_, serviceOver) => {
  let behind: Backend;
  const { client } = usingClient('application/json', () => behind);
  play(async () => {
    const { engine, ada } = await newSite();
    behind = serviceOver(engine.backend);
    const session = await client().open(await credentialOn(engine.backend));
    return { session, engine: ada.session, jobs: await journalAt(journalFile()) };
  });
});
