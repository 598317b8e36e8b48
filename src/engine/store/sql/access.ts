// Access: tokens, which are found by their hash that no read answers, members of security groups, and the permission
// rows of an individual and of its groups (D19, D21).
import { HOLDERS } from '../../../contract/resources/permissions.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Grant, Reads, StoredToken, Writes } from '../port.ts';
import type { Dialect } from './dialect.ts';
import { byName } from './rows.ts';
import { all, change, one, type Raw, type Stepped } from './steps.ts';

/** The tables of tokens and of memberships in security groups, and their indexes. */
export const ACCESS_TABLES = [
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
  `CREATE TABLE group_member (
  SiteID TEXT NOT NULL,
  GroupID TEXT NOT NULL,
  IndividualID TEXT NOT NULL,
  PRIMARY KEY (SiteID, GroupID, IndividualID)
) STRICT, WITHOUT ROWID`,
  'CREATE INDEX group_member_by_IndividualID ON group_member (SiteID, IndividualID)',
];

const GRANT_COLUMNS = [
  ...['ID', 'RowID', 'PrincipalID', 'ChildType', 'CreateState', 'ReadState', 'UpdateState', 'DeleteState'],
  ...['DelegateState', 'DeletedByRef'],
];

const kindCase = HOLDERS.filter((kind) => kind !== 'site')
  .map(
    (kind) =>
      `WHEN EXISTS (SELECT 1 FROM "${kind}" AS k WHERE k."SiteID" = p."SiteID" AND k."ID" = p."RowID") THEN '${kind}'`,
  )
  .join('\n    ');

/** Permission rows are found by their principals. */
const grantsSql = oncePer(
  ({ join }: Dialect): string => `SELECT ${GRANT_COLUMNS.map((name) => `p."${name}"`).join(', ')},
  CASE WHEN p."RowID" = p."SiteID" THEN 'site'
    ${kindCase} ELSE '' END
  FROM (
    SELECT "UserID" AS ID FROM "individual"
    WHERE "SiteID" = ? AND "ID" = ? AND "Deleted" = 0 AND "DeletedByRef" = 0
    UNION ALL
    SELECT g."ID" FROM group_member AS m
    ${join} "individual" AS i ON i."SiteID" = m.SiteID AND i."ID" = m.IndividualID
    ${join} "securityGroup" AS g ON g."SiteID" = m.SiteID AND g."ID" = m.GroupID
    WHERE m.SiteID = ? AND m.IndividualID = ? AND g."Deleted" = 0 AND g."DeletedByRef" = 0
    AND i."Deleted" = 0 AND i."DeletedByRef" = 0
  ) AS principal
  ${join} "permission" AS p ON p."SiteID" = ? AND p."PrincipalID" = principal.ID
  ORDER BY p."ID"`,
);
const MEMBERS = 'SELECT IndividualID FROM group_member WHERE SiteID = ? AND GroupID = ? ORDER BY IndividualID';
const ADD_MEMBER = 'INSERT INTO group_member (SiteID, GroupID, IndividualID) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const DELETE_MEMBER = 'DELETE FROM group_member WHERE SiteID = ? AND GroupID = ? AND IndividualID = ?';

const TOKEN_COLUMNS = ['ID', 'Kind', 'IndividualID', 'Created', 'LastUsed', 'Expires'] as const;
const TOKENS = `SELECT ${TOKEN_COLUMNS.join(', ')} FROM token WHERE SiteID = ?`;
const TOKEN_BY_HASH = `${TOKENS} AND Hash = ?`;
const TOKENS_OF_INDIVIDUAL = `${TOKENS} AND IndividualID = ?`;
const ADD_TOKEN = `INSERT INTO token (SiteID, ${TOKEN_COLUMNS.join(', ')}, Hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const USE_TOKEN = 'UPDATE token SET LastUsed = ?, Expires = ? WHERE SiteID = ? AND ID = ?';
const DELETE_TOKEN = 'DELETE FROM token WHERE SiteID = ? AND ID = ?';

export const accessReadsIn = (dialect: Dialect): Stepped<Pick<Reads, 'grants' | 'members' | 'token' | 'tokens'>> => ({
  *grants(site, individual) {
    return (yield* all(grantsSql(dialect), [site, individual, site, individual, site])).map(grantOf);
  },
  *members(site, group) {
    return (yield* all(MEMBERS, [site, group])).map(([id]) => String(id));
  },
  *token(site, hash) {
    const raw = yield* one(TOKEN_BY_HASH, [site, hash]);
    return raw && tokenOf(raw);
  },
  *tokens(site, individual) {
    const found =
      individual === undefined ? yield* all(TOKENS, [site]) : yield* all(TOKENS_OF_INDIVIDUAL, [site, individual]);
    return found.map(tokenOf);
  },
});

type AccessWrites = Pick<Writes, 'addMember' | 'deleteMember' | 'insertToken' | 'useToken' | 'deleteToken'>;

export const accessWrites: Stepped<AccessWrites> = {
  addMember: (site, group, individual) => change(ADD_MEMBER, [site, group, individual]),
  deleteMember: (site, group, individual) => change(DELETE_MEMBER, [site, group, individual]),
  insertToken: (site, token, hash) => change(ADD_TOKEN, [site, ...TOKEN_COLUMNS.map((name) => token[name]), hash]),
  useToken: (site, id, lastUsed, expires) => change(USE_TOKEN, [lastUsed, expires, site, id]),
  deleteToken: (site, id) => change(DELETE_TOKEN, [site, id]),
};

function grantOf(raw: Raw): Grant {
  const grant = byName(GRANT_COLUMNS, raw);
  return { ...grant, DeletedByRef: grant.DeletedByRef === 1, Kind: String(raw[GRANT_COLUMNS.length]) } as Grant;
}

const tokenOf = (raw: Raw): StoredToken => byName(TOKEN_COLUMNS, raw) as StoredToken;
