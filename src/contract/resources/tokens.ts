// Logging in, and the tokens that stand in for a password (D21).
import { date, guid, text } from '../field.ts';
import { local, special } from '../operation.ts';
import { defineResource } from '../resource.ts';

const fields = () =>
  ({
    ID: text('read-only', { doc: 'Names the token without revealing it.' }),
    Kind: text('read-only', { doc: 'The kind is site, user or session.' }),
    IndividualID: guid('read-only', { doc: 'Whose token it is; none for a token of the site.', to: ['individual'] }),
    Created: date('read-only', { doc: 'When it was made.' }),
    LastUsed: date('read-only', { doc: 'When it was last used, within a minute.' }),
    Expires: date('read-only', { doc: 'When it expires.' }),
  }) as const;

export const token = defineResource({
  name: 'token',
  command: 'tokens',
  doc: 'A token that stands in for a password.',
  source: 'local',
  hidden: true,
  fields,
  rights: { from: [], unset: 'none' },
  columns: ['ID', 'Kind', 'IndividualID', 'Created', 'LastUsed', 'Expires'],
  operations: () => ({
    create: local({
      doc: 'Makes a token and answers it, this once.',
      reverse: 'none',
      adds: { Token: 'Kind', For: 'IndividualID' },
      repeatable: false,
      takes: {
        Kind: text('required', {
          pattern: /^(site|user)$/,
          form: 'site or user',
          doc: 'With a site token one may log in as anybody of the site, with a user token as one individual.',
        }),
        IndividualID: guid('optional', { doc: 'Whose user token; without it, yours.', to: ['individual'] }),
      },
      answers: { ...fields(), Token: text('read-only', { doc: 'The token itself, which is never shown again.' }) },
    }),
    list: local({
      doc: 'Lists the valid tokens: yours, and for administrators those of the site.',
      many: true,
      writes: false,
      answers: fields(),
    }),
    revoke: local({
      doc: 'Deletes a token, so that nobody can log in with it.',
      reverse: 'none',
      removes: { Token: 'ID' },
      takes: { ID: text('required', { doc: 'The ID that the list shows.' }) },
    }),
  }),
});

export const session = defineResource({
  name: 'session',
  command: 'session',
  aliases: ['sessions'],
  type: 'LoginParameter',
  doc: 'A user name and its password, to be exchanged for a token.',
  source: 'help pages',
  operationSource: 'help pages',
  hidden: true,
  fields: () => ({ UserName: text('required'), Password: text('required', { writeOnly: true }) }),
  rights: { from: [], unset: 'none' },
  columns: ['UserName'],
  operations: () => ({
    login: special(
      { plain: 'POST /login' },
      {
        doc: 'Exchanges a user name and its password for a session token.',
        reverse: 'none',
        output: 'AuthToken',
        repeatable: false,
        // In XML this type has a namespace of its own, beside that of all others.
        answers: {
          Site: guid('read-only', { to: ['site'] }),
          Token: text('read-only', { doc: 'It is sent as the password, with {SessionToken} in front.' }),
          UserName: text('read-only'),
        },
      },
    ),
    logout: special(
      { plain: 'DELETE /login' },
      {
        doc: 'Ends the session of the token that the request shows.',
        source: 'local',
        reverse: 'none',
        output: 'LoginParameter',
        takes: {},
      },
    ),
  }),
});
