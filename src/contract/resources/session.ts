// Logging in: a user name and a password are exchanged for a token that stands in for the password (D21).
import { guid, text } from '../field.ts';
import { special } from '../operation.ts';
import { defineResource } from '../resource.ts';

export const session = defineResource({
  name: 'session',
  command: 'session',
  aliases: ['sessions'],
  type: 'LoginParameter',
  doc: 'A user name and its password, to be exchanged for a token.',
  source: 'help pages',
  hidden: true,
  fields: {
    UserName: text('required'),
    Password: text('required', { writeOnly: true }),
  },
  rights: { from: [], unset: 'none' },
  order: [],
  columns: ['UserName'],
  operations: {
    login: special(
      { plain: 'POST /login' },
      {
        doc: 'Exchanges a user name and its password for a session token.',
        source: 'help pages',
        output: 'AuthToken',
        repeatable: false,
        // In XML this type has a namespace of its own, beside that of all others.
        answers: {
          Site: guid('read-only', { to: ['site'] }),
          Token: text('read-only', { doc: 'To be sent as the password, behind {SessionToken}.' }),
          UserName: text('read-only'),
        },
      },
    ),
  },
});
