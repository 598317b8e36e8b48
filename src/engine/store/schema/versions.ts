// The versions of the tables. A change of tables or of the rules of keys adds a line, which a test writes out. Lines of
// released versions are never changed or removed.
import type { FileKind } from '../sqlite/file-version.ts';

/** Columns of the first version that later ones compute. */
const STORED_ONCE = {
  site: ['SecretKeyPartial', 'Nickname', 'AuthServiceUrl', 'SsoLoginLabel', 'RowType', 'BelowThresholdColor'],
  organization: ['RankPath', 'Values', 'LastCommentBy', 'CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  individual: [
    ...['PrimaryOrganizationName', 'UserEmail', 'LastCommentBy', 'SendEvalSurvey'],
    ...['CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  ],
  organizationMember: ['Name', 'ReportsToFull', 'ReportsToOrderedName'],
  basicRole: ['PerformanceIndicators'],
  indicator: ['BasicRoleName', 'BasicRolePercentTime', 'BasicRoleRank'],
  dialog: ['Template', 'Draft', 'LastCommentBy', 'CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  basicRoleDialog: ['BasicRoleName', 'BasicRoleRank', 'DialogDate'],
  comment: ['CreatedByName'],
  period: ['TotalProjects', 'TotalCommitments', 'Permissions'],
  project: ['AncestorName', 'SumHoursActual', 'SumHoursProjected', 'Status', 'Phase'],
  teamMember: [
    ...['RoleName', 'HoursActualRollup', 'HoursProjectedRollup', 'IndividualFullName'],
    'IndividualFullOrderedName',
  ],
  permission: [
    ...['RowType', 'PrincipalName', 'PrincipalType', 'RowName'],
    ...['CreateText', 'ReadText', 'UpdateText', 'DeleteText', 'DelegateText'],
  ],
};

/** The database of records: "pmv4" in ASCII. Files of the versions 1 to 3 keep no hash. */
export const DATABASE: FileKind = {
  applicationID: 0x706d7634,
  versions: [
    { number: 4, sha256: '9bf839d28d64b6ea0fe89b63cc147b775fe5f99447e7c90b6c38f7e600caf23e', dropped: STORED_ONCE },
    {
      number: 5,
      sha256: '976347ddb578b4c3050f3fe13c53e10d46fcb698d6b86fd0e0c997135394b3c2',
      dropped: { job: ['UndoneBy'] },
    },
  ],
};

/** A journal of jobs: "pmjn" in ASCII. Files of version 1 keep no hash. */
export const JOURNAL: FileKind = {
  applicationID: 0x706d6a6e,
  versions: [
    { number: 2, sha256: 'f40d4654e665f53b6c84f51e7bf1078a798a52e3b82e89d5ed7972efb2aa2ec4' },
    {
      number: 3,
      sha256: '62100e25e1ae2b56e7328cebbd7456b87565e6a5fc6d8285d5d6bc3d4b36ebbd',
      dropped: { job: ['UndoneBy'] },
    },
  ],
};
