// The sheets that people have, under headings that are in public use: each comes in with one command, every person as a reader of
// the sheet would say. Rows that are no people are left out, and nothing is prepared outside.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type RunningCommand, usingPm } from '../support/pm.ts';
import { ANSWERING, HABITS, MANNERS, strangeSite } from '../support/strange-site.ts';
import { company } from './company.ts';

const folder = fileURLToPath(new URL('../fixtures/brought/sets', import.meta.url));

/** By their logins: full name, title, department, the login of the manager, and the day of hiring. */
type People = Readonly<{ [login: string]: readonly (string | null)[] }>;

interface Sheet {
  readonly file: string;
  readonly flags: string;
  readonly people: People;
}

const HR: Sheet = {
  file: 'hr-export.csv',
  flags:
    "--map 'Employee_Name=LastName, FirstName' --map EmpID=UserName --set Email={EmpID}@example.com --make names " +
    "--top 'Board of Directors' --date-format DateofHire=mm-dd-yyyy --ignore-unknown",
  people: {
    '10268': ['Kay Thorne', 'Production Technician II', 'Production', '10039', '2007-06-25'],
    '10039': ['Webb Butler', 'Production Manager', 'Production', '10002', '2011-01-05'],
    '10002': ['Jan King', 'President & CEO', 'Executive Office', '10002', '2012-07-02'],
    '10084': ['Kar Ait Sidi', 'Sr. DBA', 'IT/IS', '10004', '2015-03-30'],
    '10004': ['Simon R', 'IT Manager', 'IT/IS', '10002', '2015-01-02'],
  },
};

const NORTHWIND: Sheet = {
  file: 'northwind-like.csv',
  flags:
    '--ref ReportsTo=EmployeeID --set UserName={FirstName}.{LastName} --set Email={FirstName}.{LastName}@example.com ' +
    '--set Department=Sales --top blank --ignore-unknown',
  people: {
    'nan.dahl': ['Nan Dahl', 'Sales Representative', 'Sales', 'andy.fell', '1992-05-01'],
    'andy.fell': ['Andy Fell', 'Vice President, Sales', 'Sales', 'andy.fell', '1992-08-14'],
    'steve.bock': ['Steve Bock', 'Sales Manager', 'Sales', 'andy.fell', '1993-10-17'],
  },
};

const GERMAN: Sheet = {
  file: 'german.csv',
  flags: '--set UserName={Vorname}.{Nachname} --map Personalnummer=UserDefined1 --make departments --top blank',
  people: {
    'jan.janssen': ['Jan Janßen', 'Geschäftsführer', 'Vorstand', 'jan.janssen', '2019-03-01'],
    'zoe.storm': ['Zoë Størm', 'Leiterin Hafen', 'Hafen & Umschlag', 'jan.janssen', '2021-11-15'],
    'uemit.oez': ['Ümit Öz', 'Kranführer', 'Hafen & Umschlag', 'zoe.storm', '2022-04-01'],
  },
};

const ATTRITION: Sheet = {
  file: 'attrition-like.csv',
  flags:
    '--map EmployeeNumber=UserName --set FirstName=Employee --set LastName={EmployeeNumber} ' +
    '--set Email={EmployeeNumber}@example.com --set Manager=itself --make departments --ignore-unknown',
  people: {
    '2': ['Employee 2', 'Research Scientist', 'Research & Development', '2', null],
    '4': ['Employee 4', 'Laboratory Technician', 'Research & Development', '4', null],
    '7': ['Employee 7', 'Sales Executive', 'Sales', '7', null],
  },
};

const DIRECTORY: Sheet = {
  file: 'directory-template-b.csv',
  flags: "--set 'UserName={Email Address [Required]}' --make departments --ignore-unknown",
  people: {
    'jan@example.com': ['Jan Doyle', 'Head of EMEA', 'EMEA', 'jan@example.com', null],
    'kim@example.com': ['Kim Rowe', 'Clerk', 'EMEA', 'jan@example.com', null],
  },
};

const ORANGE: Sheet = {
  file: 'orange-like.csv',
  flags:
    '--set UserName={first_name}.{last_name} --set Title=Employee --set Department=Sales --set Manager=itself --ignore-unknown',
  people: {
    'al.carter': ['Al Carter', 'Employee', 'Sales', 'al.carter', null],
    'rae.nunn': ['Rae Nunn', 'Employee', 'Sales', 'rae.nunn', null],
  },
};

const SHEETS: readonly Sheet[] = [
  HR,
  NORTHWIND,
  GERMAN,
  ATTRITION,
  DIRECTORY,
  ORANGE,
  {
    file: 'directory-template-a.csv',
    flags:
      "--header-row 2 --map 'User name [userPrincipalName] Required=UserName' " +
      "--set 'Email={User name [userPrincipalName] Required}' --set Manager=itself --make departments --ignore-unknown",
    people: {
      'chris@example.com': ['Chris Greene', 'IT Manager', 'Information Technology', 'chris@example.com', null],
      'bea@example.com': ['Bea Ander', 'Engineer', 'Information Technology', 'bea@example.com', null],
      'dana@example.com': ['Dana Moss', 'CEO', 'Board', 'dana@example.com', null],
    },
  },
  {
    file: 'organogram-like.csv',
    flags:
      "--rows \"Valid = 1 and Name != 'N/D'\" --map 'Name=FirstName LastName' --map 'Post Unique Reference=UserName' " +
      "--map 'Reports to Senior Post=Manager' --ref 'Reports to Senior Post=Post Unique Reference' --map Organisation= " +
      "--map 'Contact E-mail=Email' --make departments --top usual --ignore-unknown",
    people: {
      '4PO01': ['Mo Seddon', 'Permanent Secretary', "Permanent Secretary's Office", '4PO01', null],
      '4PO03': ['Air Marshal P Ull', 'Chief of Staff', 'Staff', '4PO01', null],
      '4PO04': ['Ann Vyle', 'Head of Papers', 'Staff', '4PO04', null],
    },
  },
  {
    file: 'scim-list.json',
    flags: '--map id= --ref manager.value=id --map organization= --top blank --make departments --ignore-unknown',
    people: {
      'bj@example.com': ['Bab Jens', 'Tour guide', 'Tour Operations', 'js@example.com', null],
      'js@example.com': ['Jon Smit', 'Head of tours', 'Tour Operations', 'js@example.com', null],
    },
  },
];

/** The people of a place who were not there before. */
async function peopleOf(pm: (line: string) => RunningCommand, login: RegExp): Promise<People> {
  const rows = await pm('individuals list -o json').rows();
  const departments = await pm('departments list -o json').rows();
  const name = (all: typeof rows, id: unknown, member: string): string =>
    String(all.find(({ ID }) => String(ID).toLowerCase() === String(id).toLowerCase())?.[member]);
  return Object.fromEntries(
    rows
      .filter(({ UserName }) => !login.test(String(UserName)))
      .map((one) => [
        String(one.UserName),
        [
          `${one.FirstName} ${one.LastName}`,
          String(one.PrimaryTitle),
          name(departments, one.PrimaryOrganizationID, 'Name'),
          name(rows, one.PrimaryReportsTo, 'UserName'),
          one.HireDate ? String(one.HireDate).slice(0, 10) : null,
        ],
      ]),
  );
}

const importing = ({ file, flags }: Sheet): string => `import individuals '${join(folder, file)}' ${flags}`;

describe('a sheet of people', () => {
  const pm = usingPm(company);

  it.each(SHEETS)('comes in with one command, and changes nothing the second time: $file', async (sheet) => {
    await pm(`${importing(sheet)} --yes`).prints('ended');
    expect(await peopleOf(pm, /^(?:admin|ann|bob)$/)).toEqual(sheet.people);
    await pm(`${importing(sheet)} --yes`).says('Nothing to change.');
  });

  it('whose departments are numbers of another file comes in behind that file', async () => {
    const oracle = (name: string): string => `'${join(folder, `oracle-like${name}.csv`)}'`;
    const departments =
      '--map DEPARTMENT_NAME=Name --map DEPARTMENT_ID=Focus --set Parent=Local --ignore-unknown --yes';
    await pm(`import departments ${oracle('-departments')} ${departments}`).prints('ended');
    const people =
      '--map EMAIL=UserName --map JOB_ID=Title --set Email={EMAIL}@example.com --ref MANAGER_ID=EMPLOYEE_ID ' +
      '--ref DEPARTMENT_ID=Focus --top=- --date-format HIRE_DATE=dd-mm-yyyy --ignore-unknown --yes';
    await pm(`import individuals ${oracle('')} ${people}`).prints('ended');
    expect(await peopleOf(pm, /^(?:admin|ann|bob)$/)).toEqual({
      AQUIST: ['Ada Quist', 'AD_PRES', 'Executive', 'AQUIST', '2013-06-17'],
      BFERRANT: ['Bo Ferrant', 'AD_VP', 'Executive', 'AQUIST', '2015-09-21'],
      CMADDOX: ['Cy Maddox', 'IT_PROG', 'IT', 'BFERRANT', '2011-01-13'],
      DOAKES: ['Di Oakes', 'IT_PROG', 'IT', 'CMADDOX', '2016-01-03'],
      EPRYOR: ['Ed Pryor', 'SA_REP', 'Sales', 'BFERRANT', '2017-05-21'],
    });
  });

  it('of teams comes in as groups', async () => {
    await pm(`import security-groups '${join(folder, 'teams.yaml')}' --ignore-unknown --yes`).says('2 creates');
    expect((await pm('security-groups list -o csv --fields Group').prints()).split('\n')).toEqual(
      expect.arrayContaining(['harbour-leads', 'dock-two']),
    );
  });
});

/** Sheets of further programs: the file, the flags, and the people. */
const FURTHER: readonly (readonly [string, readonly string[], string, People])[] = [
  [
    'of a personnel program in the cloud, with dates of America and people who left',
    [
      'Employee #,First Name,Last Name,Status,Job Title,Reporting to,Work Email,Department,Hire Date',
      '17,Nia,Okoro,Active,Founder,-,nia@example.com,Board,1/15/2015',
      '18,Tam,Le,Active,Engineer,Nia Okoro,tam@example.com,Engineering,03/04/2019',
      '19,Ivo,Marek,Terminated,Engineer,Nia Okoro,ivo@example.com,Engineering,11/20/2018',
    ],
    "--rows \"Status != 'Terminated'\" --set 'UserName={First Name}.{Last Name}' --top usual --make departments " +
      "--date-format mm/dd/yyyy --map 'Employee #=UserDefined1' --ignore-unknown",
    {
      'nia.okoro': ['Nia Okoro', 'Founder', 'Board', 'nia.okoro', '2015-01-15'],
      'tam.le': ['Tam Le', 'Engineer', 'Engineering', 'nia.okoro', '2019-03-04'],
    },
  ],
  [
    'of a directory, whose managers are distinguished names',
    [
      'SamAccountName;GivenName;sn;mail;title;department;manager;whenCreated',
      'rhys;Rhys;Evans;rhys@example.com;Director;Works;;20140301',
      'ola;Ola;Berg;ola@example.com;Fitter;Works;CN=Rhys Evans,OU=Users,DC=example,DC=com;20200110',
    ],
    '--top blank --make departments --map whenCreated=HireDate',
    {
      rhys: ['Rhys Evans', 'Director', 'Works', 'rhys', '2014-03-01'],
      ola: ['Ola Berg', 'Fitter', 'Works', 'rhys', '2020-01-10'],
    },
  ],
  [
    'in French, with the days and the accents of a spreadsheet there',
    [
      'Prénom;Nom de famille;Courriel;Service;Responsable;Poste;Date d’embauche',
      'Zoé;Lefèvre;zoe@example.fr;Atelier;néant;Directrice;01/02/2016',
      'Loïc;Le Goff;loic@example.fr;Atelier;Lefèvre, Zoé;Soudeur;15 février 2021',
    ],
    "--set 'UserName={Prénom}.{Nom de famille}' --top 'néant' --make departments --date-format dd/mm/yyyy",
    {
      'zoe.lefevre': ['Zoé Lefèvre', 'Directrice', 'Atelier', 'zoe.lefevre', '2016-02-01'],
      'loic.legoff': ['Loïc Le Goff', 'Soudeur', 'Atelier', 'zoe.lefevre', '2021-02-15'],
    },
  ],
  [
    'of a report with a title above, a sum below, and the numbers of people behind their names',
    [
      'Worker report,,,,',
      'Worker ID,Worker,Business Title,Org Unit,Supervisor,Work E-mail',
      '0042,"Moss, Dana",Head,Research,self,dana@example.com',
      '0043,"Ito, Ken",Chemist,Research,Dana Moss (0042),ken@example.com',
      'Total,2,,,,',
    ],
    "--header-row 2 --last-row 4 --map 'Worker=LastName, FirstName' --map 'Worker ID=UserName' " +
      "--map 'Business Title=Title' --map 'Work E-mail=Email' --top usual --make departments",
    {
      '0042': ['Dana Moss', 'Head', 'Research', '0042', null],
      '0043': ['Ken Ito', 'Chemist', 'Research', '0042', null],
    },
  ],
];

describe('a sheet', () => {
  const pm = usingPm(company);

  it.each(FURTHER)('%s comes in with one command', async (_of, lines, flags, people) => {
    writeFileSync(join(pm.home, 'sheet.csv'), `${lines.join('\n')}\n`);
    await pm(`import individuals sheet.csv ${flags} --yes`).prints('ended');
    expect(await peopleOf(pm, /^(?:admin|ann|bob)$/)).toEqual(people);
  });
});

describe('a sheet of people, on a service with a habit', () => {
  const pm = usingPm();
  const ALL = { ...HABITS, ...ANSWERING, ...MANNERS };
  const CASES: readonly (readonly [Sheet, keyof typeof ALL])[] = [
    [HR, 'has all of these habits'],
    [NORTHWIND, 'gives IDs of its own'],
    [GERMAN, 'says nothing of a new record, and gives IDs of its own'],
    [ATTRITION, 'answers 503 to what it has done'],
    [DIRECTORY, 'writes first_name for FirstName'],
    [ORANGE, 'shows new records some reads later'],
  ];

  it.each(CASES.map(([sheet, habit]) => ({ ...sheet, habit })))('comes in: $file, where it $habit', async (sheet) => {
    await strangeSite(pm, ALL[sheet.habit] ?? {});
    const there = (line: string) => pm(`${line} -p s`, { env: { PM_PASSWORD: 'secret', PM_RETRIES: '3' } });
    await there('departments create --name Sales --rank 2 --parent Operations').prints();
    const line = importing(sheet).replace(/--make (\w+)/, '--make $1 --below Operations');
    await there(`${line} --yes`).prints('ended');
    // A service may show new records some reads later.
    for (let reads = 0; reads < 4; reads++)
      for (const resource of ['individuals', 'departments']) await there(`${resource} list`).prints();
    expect(await peopleOf(there, /^(?:ann|user\d+)$/)).toEqual(sheet.people);
  });
});
