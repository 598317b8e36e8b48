// pm backup: copies a whole database into a file.
import type { Command } from 'commander';
import { copyingCommand } from '../backup/copy.ts';
import type { Run } from '../command.ts';

export const build = (run: Run): Command =>
  copyingCommand(run, 'backup', 'Copy a whole database into a file, while others go on writing.')
    .argument('<from>', 'the profile of a database, as local; a file, or postgres://user@host/name')
    .argument('<file>', 'a file that is not there yet; or an empty database, as for a restore')
    .addHelpText('after', HELP);

const HELP = `
All sites are copied as they stand when it begins: records, deleted ones too,
history, jobs with their undo, passwords and tokens, and the numbers that come
next. Profiles, and the journal of remote services, are not in it. Keep it as
safe as the database. Then both sides are read and compared, and each table is
shown that has rows: how many, and whether all values are equal; -o json has
their hashes. Until all are equal, every other command refuses the copy.

Others may write meanwhile: that is not in the backup, and is said at its end.
Only while a job is running it is refused: it would have a part of the job.

Whatever ends it, the same command goes on. If the source has changed before it
could, begin again with --anew. pm restore brings a backup back.`;
