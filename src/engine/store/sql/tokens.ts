// Tokens in the database. They are found by their hash, which no read answers.
import type { Reads, StoredToken, Writes } from '../port.ts';
import type { Connection, ReadConnection } from '../sqlite/connection.ts';
import { byName } from './rows.ts';

/** The table of tokens and its indexes. */
export const TOKEN_TABLE = [
  `CREATE TABLE token (
  SiteID TEXT NOT NULL,
  ID TEXT NOT NULL,
  Kind TEXT NOT NULL,
  IndividualID TEXT,
  Hash TEXT NOT NULL,
  Created TEXT NOT NULL,
  LastUsed TEXT,
  Expires TEXT,
  PRIMARY KEY (SiteID, ID)
) STRICT, WITHOUT ROWID`,
  'CREATE UNIQUE INDEX token_by_Hash ON token (SiteID, Hash)',
  'CREATE INDEX token_by_IndividualID ON token (SiteID, IndividualID)',
];

const COLUMNS = ['ID', 'Kind', 'IndividualID', 'Created', 'LastUsed', 'Expires'] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM token WHERE SiteID = ?`;
const BY_HASH = `${SELECT} AND Hash = ?`;
const BY_INDIVIDUAL = `${SELECT} AND IndividualID = ?`;
const INSERT = `INSERT INTO token (SiteID, ${COLUMNS.join(', ')}, Hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = 'UPDATE token SET LastUsed = ?, Expires = ? WHERE SiteID = ? AND ID = ?';
const DELETE = 'DELETE FROM token WHERE SiteID = ? AND ID = ?';

export const tokenReadsOn = (connection: ReadConnection): Pick<Reads, 'token' | 'tokens'> => ({
  token(site, hash) {
    const raw = connection.one(BY_HASH, [site, hash]);
    return raw && tokenOf(raw);
  },
  tokens(site, individual) {
    const found =
      individual === undefined ? connection.all(SELECT, [site]) : connection.all(BY_INDIVIDUAL, [site, individual]);
    return found.map(tokenOf);
  },
});

export const tokenWritesOn = (connection: Connection): Pick<Writes, 'insertToken' | 'useToken' | 'deleteToken'> => ({
  insertToken: (site, token, hash) => void connection.run(INSERT, [site, ...COLUMNS.map((name) => token[name]), hash]),
  useToken: (site, id, lastUsed, expires) => void connection.run(UPDATE, [lastUsed, expires, site, id]),
  deleteToken: (site, id) => void connection.run(DELETE, [site, id]),
});

const tokenOf = (raw: readonly unknown[]): StoredToken => byName(COLUMNS, raw) as StoredToken;
