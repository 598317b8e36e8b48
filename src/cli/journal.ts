// The journal of jobs on remote services: a file of its own in pm's folder.
import { join } from 'node:path';
import { type Journal, openJournal } from '../engine/store/journal/journal.ts';
import { homeOf, makeHome } from './profiles/home.ts';
import type { Streams } from './streams.ts';

/** Opens it, and makes it where there is none. Throws `storage`, `busy`, `disk_full`. */
export async function openJournalOf(io: Streams): Promise<Journal> {
  const home = homeOf(io);
  makeHome(home);
  return openJournal(join(home, 'journal.db'));
}
