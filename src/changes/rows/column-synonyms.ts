// Names that people give to the columns of their files, and that no field has.

/** Names of columns, each with other words for it, in the letters and digits of `plain`. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

const DEPARTMENTS = ['dept', 'organisation', 'org', 'orgunit', 'unit', 'division', 'team'];
const MANAGERS = ['manager', 'managername', 'linemanager', 'supervisor', 'boss', 'superior'];
const TITLES = ['jobtitle', 'job', 'position', 'role'];

/** For all resources; those of one resource go before. */
const COMMON: Synonyms = {
  Individual: ['person', 'people', 'employee', 'user', 'username', 'who'],
  Department: DEPARTMENTS,
  Name: ['title', 'label'],
  Description: ['details'],
  Rank: ['order', 'sortorder', 'displayorder'],
  StartDate: ['start', 'from', 'begins', 'begin'],
  EndDate: ['end', 'until', 'ends'],
  DueDate: ['due', 'deadline', 'dueon'],
};

/** By the name of the resource. */
const OWN: Readonly<Record<string, Synonyms>> = {
  individual: {
    UserName: ['user', 'login', 'loginname', 'logon', 'account', 'accountname', 'samaccountname'],
    FirstName: ['givenname', 'forename', 'first'],
    LastName: ['surname', 'familyname', 'last'],
    Email: ['emailaddress', 'mail', 'mailaddress', 'workemail'],
    PrimaryTitle: ['title', ...TITLES],
    PrimaryOrganizationID: ['department', 'departmentname', 'organization', ...DEPARTMENTS],
    PrimaryReportsTo: ['reportsto', 'reportstoid', ...MANAGERS],
    HireDate: ['startdate', 'hired', 'hiredon', 'dateofhire', 'joined', 'joiningdate', 'dateofjoining', 'entrydate'],
    Prefix: ['salutation', 'nameprefix'],
    Suffix: ['namesuffix'],
    IsAdmin: ['admin', 'administrator'],
  },
  organization: {
    Name: ['department', 'departmentname', 'organization', 'title', ...DEPARTMENTS],
    ParentID: ['parentdepartment', 'parentorganization', 'parentname', 'partof', 'belongsto', 'reportsto', 'above'],
    Rank: ['order', 'sortorder', 'displayorder', 'position'],
  },
  organizationMember: {
    Individual: ['person', 'employee', 'member', 'user', 'username', 'name'],
    Title: TITLES,
    ReportsToID: MANAGERS,
    Primary: ['isprimary', 'main'],
    Leader: ['isleader', 'lead', 'head'],
  },
  accountability: { Name: ['accountability', 'responsibility', 'title'] },
  commitment: { Name: ['commitment', 'goal', 'objective', 'title'] },
  metric: { Name: ['metric', 'kpi', 'measure', 'title'] },
  securityGroup: { Name: ['group', 'securitygroup', 'title'] },
};

/** The name of the column that a word stands for in files of this resource; undefined where it stands for none. */
export const meantBy = (resource: string, word: string): string | undefined =>
  inTable(OWN[resource] ?? {}, word) ?? inTable(COMMON, word);

/** The field among these that a word stands for in files of any resource. */
export const meantAmong = (fields: readonly string[], word: string): string | undefined =>
  [...Object.values(OWN), COMMON].flatMap((table) => inTable(table, word) ?? []).find((name) => fields.includes(name));

const inTable = (table: Synonyms, word: string): string | undefined =>
  Object.keys(table).find((name) => table[name]?.includes(word));
