// Examples of the commands of resources, with records of the small sample.
/** The words behind a command and its verb, by verb, or '' where it has none. A line of its own begins with pm. */
export type Examples = Readonly<Record<string, string | readonly string[]>>;

/** The first record that a list shows, as a shell inserts it. */
const firstOf = (list: string): string => `$(pm ${list} --limit 1 -o id)`;

const HULL = '--project "Hull 12"';
const DESIGN = '--department Engineering';
const AMARA = '--individual amara.okafor';
const COMMENT = firstOf('comments list --department Production');
const MEMBERSHIP = `${AMARA} --department Engineering`;
const ROLE = firstOf(`basic-roles list ${AMARA}`);
const DIALOG = firstOf(`dialogs list ${AMARA}`);
const COMMITMENT = firstOf('commitments list --department Engineering');
const TASK = firstOf(`tasks all ${AMARA}`);
const VALUE = firstOf('metric-values list --metric "Changes after release"');
const PERMISSION = firstOf('permissions list --department Engineering');
const MEMBER = '--individual marta.kowalczyk';

/** By command, as in `Examples`. */
export const RESOURCE_EXAMPLES: Readonly<Record<string, Examples>> = {
  sites: {
    list: '',
    update: 'Local --comment "Harbour Works" -n',
    get: 'Local -o yaml',
    create: 'North --admin ann -n',
    'grant-global': 'amara.okafor -n',
  },
  'site-settings': { get: '-o yaml', update: '--threshold1 40 --show-goals false -n' },
  departments: {
    list: '--where "Level = 2" --fields Name,Focus',
    get: '"Hull Design" -o yaml',
    create: '--parent Engineering --name Cabins --rank 9',
    update: ['"Hull Design" --focus "Less wave" -n', '--where "Level = 3" --focus Ferries -n'],
    delete: '"Hull Design" -n',
    undelete: '"Diesel Workshop" -n',
    tree: ['', 'Engineering'],
    show: ['Engineering', 'Engineering -o md'],
    diff: 'Engineering Production',
  },
  individuals: {
    list: ['--where "LastName ~ \'^S\'" --sort LastName', '--department Engineering --below'],
    get: ['amara.okafor -o yaml', 'me'],
    create: `--user-name ann --first-name Ann --last-name Smith --email ann@example.com --primary-title Engineer --primary-organization Engineering --primary-reports-to amara.okafor`,
    update: ['luis.ferreira --primary-title Architect -n', '--where "LastName ~ \'^S\'" --user-defined1 Ferry -n'],
    delete: ['luis.ferreira -n', 'luis.ferreira --reassign-to klara.svoboda -n'],
    undelete: 'henrik.baas -n',
    tree: ['', 'amara.okafor'],
    diff: 'klara.svoboda luis.ferreira',
    show: ['klara.svoboda', 'klara.svoboda -o json --fields Record,Comments'],
  },
  'department-members': {
    list: '--department Engineering',
    get: MEMBERSHIP,
    create: '--individual luis.ferreira --department Production --title Adviser',
    update: `${MEMBERSHIP} --title Head -n`,
    delete: '--individual annika.weiss --department Engineering -n',
  },
  accountabilities: {
    list: AMARA,
    get: firstOf(`accountabilities list ${AMARA}`),
    create: `${AMARA} --rank 9 --name "Keep the plan" --description "It is true."`,
    update: `${AMARA} --where "Rank = 2" --rank 9 -n`,
    delete: `${AMARA} --where "Rank = 2" -n`,
    undelete: '--individual luis.ferreira --where "Rank = 2" -n',
  },
  'supervisory-scopes': {
    list: AMARA,
    get: firstOf(`supervisory-scopes list ${AMARA}`),
    create: `${AMARA} --rank 9 --name Travel --description "Approves it."`,
    update: `${AMARA} --where "Rank = 2" --rank 9 -n`,
    delete: `${AMARA} --where "Rank = 2" -n`,
    undelete: '--individual giorgos.papadakis --where "Rank = 2" -n',
  },
  'basic-roles': {
    list: AMARA,
    get: firstOf(`basic-roles list ${AMARA}`),
    create: `${AMARA} --name Teacher --percent-time 10`,
    update: `${AMARA} --where "Rank = 2" --percent-time 20 -n`,
    delete: `${AMARA} --where "Rank = 2" -n`,
    undelete: '--individual pavel.novotny --where "Rank = 2" -n',
    summary: '--sort=-Count --limit 5',
  },
  indicators: {
    list: AMARA,
    get: firstOf(`indicators list ${AMARA}`),
    create: `--basic-role ${ROLE} --name Calm --description "Also on Fridays."`,
    update: `--basic-role ${ROLE} --where "Rank = 2" --rank 9 -n`,
    delete: `--basic-role ${ROLE} --where "Rank = 2" -n`,
    undelete: `--basic-role ${firstOf('basic-roles list --individual marta.kowalczyk')} --where "Rank = 2" -n`,
  },
  dialogs: {
    list: DESIGN,
    all: AMARA,
    get: DIALOG,
    create: `${AMARA} --dialog-date 2027-01-15 --name "Talk in January"`,
    update: `${AMARA} --where "Name ~ 'talk'" --location "Quay 3" -n`,
    delete: `${AMARA} --where "Name ~ 'talk'" -n`,
    undelete: '--department "Service | Spare Parts" --where "Name ~ \'.\'" -n',
  },
  'basic-role-dialogs': {
    list: `--dialog ${DIALOG}`,
    update: `--basic-role ${ROLE} --dialog ${DIALOG} --description "Goes well."`,
    get: [
      `pm basic-role-dialogs update --basic-role ${ROLE} --dialog ${DIALOG} --description "Goes well."`,
      `--basic-role ${ROLE} --dialog ${DIALOG}`,
    ],
  },
  comments: {
    list: '--department Production',
    get: COMMENT,
    create: '--department Production --body "Good work"',
    update: `${COMMENT} --body "Very good work" -n`,
    delete: `${COMMENT} -n`,
    undelete: '664acb27-c343-4f2e-a8f7-9de897d3aac4 -n',
  },
  periods: {
    list: '',
    get: '5',
    create: '--start-date 2031-01-01 --end-date 2031-03-31',
    update: '5 --start-date 2020-01-01 -n',
  },
  commitments: {
    list: DESIGN,
    get: COMMITMENT,
    create: `${AMARA} --period 5 --name "Ship it" --due-date 2027-01-31
      --measure1 Drawn --measure2 Built --measure3 Tested --measure4 Sold --measure5 Paid`,
    update: `${COMMITMENT} --completed true -n`,
    delete: `${COMMITMENT} -n`,
  },
  'core-values': {
    list: '',
    get: '"Safe home"',
    create: '--rank 9 --name "Ask first"',
    update: '"Safe home" --rank 1 -n',
    delete: '"Safe home" -n',
  },
  colors: {
    list: '',
    defaults: '',
    get: 'Below',
    create: '--rank 9 --name Superb --code 1f77b4',
    update: 'Below --code c0392b -n',
    delete: 'Below -n',
  },
  'project-phases': {
    list: '',
    defaults: '',
    get: 'Planning',
    create: '--name Trial --rank 9',
    update: 'Planning --rank 5 -n',
  },
  'project-statuses': { list: '', get: '"At risk"', create: '--name Late --rank 9', update: '"At risk" --rank 5 -n' },
  projects: {
    list: ['', '--department Production --where "Status = \'At risk\'"'],
    get: '"Hull 12" -o yaml',
    create: '--department Production --phase Planning --name "Hull 13" --end-date-projected 2027-06-30',
    update: '"Hull 12" --status "At risk" -n',
    delete: '"Hull 12" -n',
    undelete: '"Diesel Refit Catalogue" -n',
    show: ['"Hull 12"', '"Hull 12" -o md'],
    diff: '"Hull 12" "Battery Module 2"',
  },
  'project-scopes': {
    list: HULL,
    get: `"Aluminium hull" ${HULL}`,
    create: `${HULL} --rank 9 --name Paint --description "Two coats."`,
    update: `"Aluminium hull" ${HULL} --rank 2 -n`,
    delete: `"Aluminium hull" ${HULL} -n`,
    undelete: '"Not included" --project "Ferry 12: Silent Crossing" -n',
  },
  'evaluation-criteria': {
    list: HULL,
    get: `"Seams passed" ${HULL}`,
    create: `${HULL} --rank 9 --name Weight --description "Below 40 tons."`,
    update: `"Seams passed" ${HULL} --completed false -n`,
    delete: `"Seams passed" ${HULL} -n`,
    undelete: '"Mended in an hour" --project "Battery Module 2" -n',
  },
  'team-members': {
    list: HULL,
    roles: '',
    get: `${MEMBER} ${HULL}`,
    create: `${AMARA} ${HULL} --hours-projected 40 --hours-actual 0 --role-id $(pm team-members roles --limit 1 -o id)`,
    update: `${MEMBER} ${HULL} --hours-projected 250 -n`,
    delete: `${MEMBER} ${HULL} -n`,
  },
  metrics: {
    list: '--department Engineering',
    all: AMARA,
    get: '"Changes after release" -o yaml',
    create: '--department Engineering --rank 9 --name Overtime --description Hours',
    update: '"Changes after release" --threshold1 50 -n',
    delete: '"Changes after release" -n',
    undelete: ['pm metrics delete "Drawings released in time" --yes', '"Drawings released in time" -n'],
  },
  'metric-values': {
    list: '--metric "Changes after release" --start-date 2026-01-01',
    get: VALUE,
    create: '--metric "Changes after release" --date 2026-03-31 --value 18',
    update: `${VALUE} --value 19 -n`,
    delete: `${VALUE} -n`,
  },
  tasks: {
    list: HULL,
    all: AMARA,
    'dialog-tasks': DESIGN,
    simple: '--limit 5',
    get: TASK,
    create: `${AMARA} --name "Order steel" --end-date-projected 2027-02-28`,
    'create-separate': `${AMARA} --name "Read the plan" --responsible luis.ferreira,hanna.virtanen`,
    update: `${TASK} --priority high -n`,
    delete: `${TASK} -n`,
    undelete: [
      `pm tasks create ${AMARA} --name "Order paint"`,
      `pm tasks delete "Order paint" ${AMARA} --yes`,
      `"Order paint" ${AMARA}`,
    ],
    'toggle-completed': `${TASK} -n`,
  },
  archives: {
    list: '--department "Harbour Works"',
    get: firstOf('archives list --department "Harbour Works"'),
    take: '--department Engineering --name "2026 Q1" -n',
  },
  dashboards: {
    list: '--fields Name,FromDate,ToDate',
    get: '--department Engineering -o yaml',
    sample: '-o yaml',
    metrics: '--of Engineering --metric-type below',
    'active-projects': '--of Production',
    'completed-projects': '--of Production',
    'dept-active-projects': '--of "Harbour Works"',
    show: 'Engineering',
    report: 'Engineering --html report.html',
    compare: 'Engineering Production',
  },
  'security-groups': {
    list: '',
    defaults: '',
    get: 'Auditors',
    create: '--group Pilots --description "Those who steer."',
    update: 'Auditors --description "Once a year." -n',
    delete: 'Auditors -n',
    undelete: 'Interns -n',
    members: 'Leaders',
    'add-member': 'Auditors luis.ferreira -n',
    'delete-member': 'Leaders amara.okafor -n',
  },
  permissions: {
    list: '--department Engineering',
    get: PERMISSION,
    create: `--department Production --principal Auditors --read-state allow --create-state not-set --update-state deny --delete-state deny --delegate-state deny`,
    update: `${PERMISSION} --department Engineering --delete-state deny -n`,
    delete: `${PERMISSION} --department Engineering -n`,
    set: 'luis.ferreira allow read,update department Engineering -n',
  },
};
