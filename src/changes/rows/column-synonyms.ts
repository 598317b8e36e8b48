// Names that people give to the columns of their files, and that no field has.

/** Names of columns, each with other words for it, in the letters and digits of `plain`. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

const DEPARTMENTS = [
  ...['dept', 'organisation', 'org', 'orgunit', 'organizationalunit', 'unit', 'division', 'team'],
  ...['abteilung', 'bereich', 'département', 'departement', 'service'],
];
const MANAGERS = [
  ...['manager', 'managername', 'manageremail', 'linemanager', 'supervisor', 'supervisoremail', 'boss', 'superior'],
  ...['reportingto', 'reportingmanager', 'vorgesetzter', 'vorgesetzte', 'führungskraft', 'responsable', 'supérieur'],
];
const TITLES = [
  ...['jobtitle', 'job', 'position', 'positiontitle', 'role', 'jobrole', 'designation', 'employeetitle'],
  ...['stelle', 'stellenbezeichnung', 'funktion', 'fonction', 'poste'],
];

/** For all resources; those of one resource go before. */
const COMMON: Synonyms = {
  Individual: ['person', 'people', 'employee', 'user', 'username', 'who', 'mitarbeiter', 'personne', 'employé'],
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
    UserName: [
      ...['user', 'login', 'loginname', 'logon', 'account', 'accountname', 'samaccountname', 'upn'],
      ...['userprincipalname', 'uid', 'benutzername', 'anmeldename', 'identifiant', 'nomdutilisateur'],
    ],
    FirstName: ['givenname', 'forename', 'first', 'vorname', 'prénom', 'prenom'],
    LastName: ['surname', 'familyname', 'last', 'sn', 'nachname', 'familienname', 'nom', 'nomdefamille'],
    Email: [
      ...['emailaddress', 'mail', 'mailaddress', 'workemail', 'businessemail', 'primaryemail', 'contactemail'],
      ...['emails', 'emailadresse', 'mailadresse', 'courriel', 'adresseemail'],
    ],
    PrimaryTitle: ['title', ...TITLES],
    PrimaryOrganizationID: ['department', 'departmentname', 'organization', ...DEPARTMENTS],
    PrimaryReportsTo: ['reportsto', 'reportstoid', ...MANAGERS],
    HireDate: [
      ...['startdate', 'hired', 'hiredon', 'dateofhire', 'joined', 'joiningdate', 'dateofjoining', 'entrydate'],
      ...['eintritt', 'eintrittsdatum', 'einstellungsdatum', 'datedembauche', 'datedentrée', 'datedentree'],
    ],
    Prefix: ['salutation', 'nameprefix', 'honorificprefix', 'titleofcourtesy', 'anrede', 'civilité', 'civilite'],
    Suffix: ['namesuffix', 'honorificsuffix'],
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
  securityGroup: { Group: ['name', 'securitygroup', 'title'] },
};

/** The headings that people have for members whose names are words of the interface. */
const HEADINGS: Readonly<Record<string, string>> = {
  PrimaryOrganizationID: 'Department',
  PrimaryReportsTo: 'Manager',
  PrimaryTitle: 'Title',
  OrganizationID: 'Department',
};

/** What a column for this member is called, where a file has none yet. */
export const headingFor = (member: string): string => HEADINGS[member] ?? member.replace(/(?<=.)ID$/, '');

/** The name of the column that a word stands for in files of this resource; undefined if it stands for none. */
export const meantBy = (resource: string, word: string): string | undefined =>
  inTable(OWN[resource] ?? {}, word) ?? inTable(COMMON, word);

/** The field among these that a word stands for in files of any resource. */
export const meantAmong = (fields: readonly string[], word: string): string | undefined =>
  [...Object.values(OWN), COMMON].flatMap((table) => inTable(table, word) ?? []).find((name) => fields.includes(name));

const inTable = (table: Synonyms, word: string): string | undefined =>
  Object.keys(table).find((name) => table[name]?.includes(word));

/** Its letters and digits: columns that differ in nothing else are one for --map. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Does a column of this name hold first and last names? */
export const isWholeName = (column: string): boolean => /^(?:full|employee)?name$/.test(plain(column));

/** A column as a shell takes it in quotes: its signs and blanks are not compared. */
export const typed = (column: string): string => column.replaceAll(/[\s'’]+/g, ' ');

/** What programs and forms add to a heading: `First name [givenName] (required) *`. */
const MARKS = /\[[^[\]]*\]|\([^()]*\)|[*:]|\b(?:required|optional|mandatory)\b/gi;

/** Objects whose members are the record's own: `profile.title`. */
const OWN_PART = /^(?:(?:name|profile|attributes|fields|properties)\.)+(?=.)/i;
/** Members that stand for the object which they are in: `manager.displayName`. */
const WHOLE = /(?<=.)\.(?:value|id|name|displayname|email|mail|username)$/i;

/** A heading as it stands, then without its marks, the name of a member that stands in brackets, and the member of an object. */
export function headingsOf(column: string): readonly string[] {
  const inBrackets = [...column.matchAll(/\[([^[\]]*)\]/g)].map(([, name = '']) => name);
  const member = column.replace(OWN_PART, '').replace(WHOLE, '');
  return [column, column.replaceAll(MARKS, ' '), ...inBrackets, member];
}
