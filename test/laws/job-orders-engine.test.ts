// Commands on jobs of the engine in any order, with kills: each does what the table of pm help changes says, and nothing is
// lost or doubled.
import { newSite } from '../support/site.ts';
import { play } from './play-orders.ts';

play(async () => {
  const { session } = (await newSite()).ada;
  if (!session.local) throw new Error('the engine is local');
  return { session, engine: session, jobs: session.local.jobs };
});
