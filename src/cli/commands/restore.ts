// pm restore: brings a whole database back, or from a file to a server.
import type { Command } from 'commander';
import { copyingCommand } from '../backup/copy.ts';
import type { Run } from '../command.ts';

export const build = (run: Run): Command =>
  copyingCommand(run, 'restore', 'Bring a whole database back, or from a file to a server.')
    .argument('<file>', 'a backup; or the profile of a database, or postgres://user@host/name')
    .argument('<to>', 'the profile of an empty database, as local where its file was moved away; or a file')
    .addHelpText('after', HELP);

const HELP = `
All sites are copied, with all that pm backup --help names; then both sides are
read and compared. Until all are equal, every other command refuses the copy.

It goes where no records are. For the file of local: end pm serve, move the
file away, then restore. On a server: createdb makes an empty database. A whole
file moves to a server so, and back; the source stays as it is. Where sites
have worked on a server, their history gets new numbers in a file, in the same
order.

Whatever ends it, the same command goes on; --anew begins again. One deleted
record comes back by pm <resource> undelete, one job by pm undo.`;
