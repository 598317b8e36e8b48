// Tokens in the database: found by their hash, which no reading answers.

import type { StoredToken, TokenKind } from '../port.ts';
import type { Connection } from '../sqlite/connection.ts';

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

export interface TokenReads {
  token(site: string, hash: string): StoredToken | undefined;
  tokens(site: string, individual?: string): readonly StoredToken[];
}

export interface TokenWrites {
  insertToken(site: string, token: StoredToken, hash: string): void;
  useToken(site: string, id: string, lastUsed: string, expires: string | null): void;
  deleteToken(site: string, id: string): void;
}

const SELECT = 'SELECT ID, Kind, IndividualID, Created, LastUsed, Expires FROM token WHERE SiteID = ?';
const BY_HASH = `${SELECT} AND Hash = ?`;
const BY_INDIVIDUAL = `${SELECT} AND IndividualID = ?`;
const INSERT = `INSERT INTO token (SiteID, ID, Kind, IndividualID, Created, LastUsed, Expires, Hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = 'UPDATE token SET LastUsed = ?, Expires = ? WHERE SiteID = ? AND ID = ?';
const DELETE = 'DELETE FROM token WHERE SiteID = ? AND ID = ?';

export const tokenReadsOn = (connection: Connection): TokenReads => ({
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

export const tokenWritesOn = (connection: Connection): TokenWrites => ({
  insertToken(site, { ID, Kind, IndividualID, Created, LastUsed, Expires }, hash) {
    connection.run(INSERT, [site, ID, Kind, IndividualID, Created, LastUsed, Expires, hash]);
  },
  useToken: (site, id, lastUsed, expires) => void connection.run(UPDATE, [lastUsed, expires, site, id]),
  deleteToken: (site, id) => void connection.run(DELETE, [site, id]),
});

function tokenOf(raw: readonly unknown[]): StoredToken {
  const [ID, Kind, IndividualID, Created, LastUsed, Expires] = raw as [
    string,
    TokenKind,
    string | null,
    string,
    string | null,
    string | null,
  ];
  return { ID, Kind, IndividualID, Created, LastUsed, Expires };
}
