// The members of security groups, and the permission rows of an individual and of its groups (D19).
import { HOLDERS } from '../../../contract/resources/permissions.ts';
import type { Grant, Reads, Writes } from '../port.ts';
import type { Connection, ReadConnection } from '../sqlite/connection.ts';
import { byName } from './rows.ts';

/** The table of memberships in security groups, and its index. */
export const MEMBER_TABLE = [
  `CREATE TABLE group_member (
  SiteID TEXT NOT NULL,
  GroupID TEXT NOT NULL,
  IndividualID TEXT NOT NULL,
  PRIMARY KEY (SiteID, GroupID, IndividualID)
) STRICT, WITHOUT ROWID`,
  'CREATE INDEX group_member_by_IndividualID ON group_member (SiteID, IndividualID)',
];

const COLUMNS = [
  ...['ID', 'RowID', 'PrincipalID', 'ChildType', 'CreateState', 'ReadState', 'UpdateState', 'DeleteState'],
  ...['DelegateState', 'DeletedByRef'],
];

const kindCase = HOLDERS.filter((kind) => kind !== 'site')
  .map(
    (kind) =>
      `WHEN EXISTS (SELECT 1 FROM "${kind}" AS k WHERE k."SiteID" = p."SiteID" AND k."ID" = p."RowID") THEN '${kind}'`,
  )
  .join('\n    ');

/** CROSS JOIN keeps this order of tables, so that permission rows are found by their principals. */
const GRANTS = `SELECT ${COLUMNS.map((name) => `p."${name}"`).join(', ')},
  CASE WHEN p."RowID" = p."SiteID" THEN 'site'
    ${kindCase} ELSE '' END
  FROM (
    SELECT "UserID" AS ID FROM "individual"
    WHERE "SiteID" = ? AND "ID" = ? AND "Deleted" = 0 AND "DeletedByRef" = 0
    UNION ALL
    SELECT g."ID" FROM group_member AS m
    CROSS JOIN "individual" AS i ON i."SiteID" = m.SiteID AND i."ID" = m.IndividualID
    CROSS JOIN "securityGroup" AS g ON g."SiteID" = m.SiteID AND g."ID" = m.GroupID
    WHERE m.SiteID = ? AND m.IndividualID = ? AND g."Deleted" = 0 AND g."DeletedByRef" = 0
    AND i."Deleted" = 0 AND i."DeletedByRef" = 0
  ) AS principal
  CROSS JOIN "permission" AS p ON p."SiteID" = ? AND p."PrincipalID" = principal.ID
  ORDER BY p."ID"`;
const OF_GROUP = 'SELECT IndividualID FROM group_member WHERE SiteID = ? AND GroupID = ? ORDER BY IndividualID';
const ADD = 'INSERT OR IGNORE INTO group_member (SiteID, GroupID, IndividualID) VALUES (?, ?, ?)';
const DELETE = 'DELETE FROM group_member WHERE SiteID = ? AND GroupID = ? AND IndividualID = ?';

export const grantReadsOn = (connection: ReadConnection): Pick<Reads, 'grants' | 'members'> => ({
  grants: (site, individual) => connection.all(GRANTS, [site, individual, site, individual, site]).map(grantOf),
  members: (site, group) => connection.all(OF_GROUP, [site, group]).map(([id]) => String(id)),
});

export const grantWritesOn = (connection: Connection): Pick<Writes, 'addMember' | 'deleteMember'> => ({
  addMember: (site, group, individual) => void connection.run(ADD, [site, group, individual]),
  deleteMember: (site, group, individual) => void connection.run(DELETE, [site, group, individual]),
});

function grantOf(raw: readonly unknown[]): Grant {
  const grant = byName(COLUMNS, raw);
  return { ...grant, DeletedByRef: grant.DeletedByRef === 1, Kind: String(raw[COLUMNS.length]) } as Grant;
}
