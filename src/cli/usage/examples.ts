// Examples of every command. Each line runs on the small sample; a test runs them all.
import { resources } from '../../contract/index.ts';
import { type Examples, RESOURCE_EXAMPLES } from './resource-examples.ts';

const PEOPLE = 'pm export individuals --out people.csv';

const COMMANDS: Readonly<Record<string, Examples>> = {
  demo: { '': '' },
  seed: { '': ['--sample small', '--sample large --individuals 200'] },
  import: {
    '': [
      PEOPLE,
      'individuals people.csv --key UserName -n',
      'individuals people.csv --key UserName --yes',
      'individuals people.csv --mode update --on-error rollback --yes',
      'people.csv -n',
    ],
  },
  export: {
    '': [
      '--dir site',
      'individuals --names --out names.csv',
      'individuals --out people.csv --excel',
      'accountabilities --form ndjson',
    ],
  },
  each: { '': [PEOPLE, 'people.csv -n -- individuals update {UserName} --user-defined4 {LastName}'] },
  plan: {
    '': [
      PEOPLE,
      'individuals people.csv --key UserName --out people.plan',
      'show people.plan',
      'pm apply people.plan --yes',
    ],
  },
  apply: { '': [PEOPLE, 'pm plan individuals people.csv --out people.plan', 'people.plan --yes'] },
  jobs: {
    list: '--limit 5',
    show: '$(pm jobs list --limit 1 -o id) --rows',
    resume: '3f2a',
    retry: '3f2a --on-drift overwrite',
    settle: '3f2a --row 12 --done',
    report: '3f2a --out failed.csv',
    prune: '--older-than 90d -n',
  },
  undo: {
    '': [
      '-n',
      '$(pm jobs list --limit 1 -o id) --where "Line <= 20" -n',
      '--by me --since -1d --resource departments --where "What = \'update\'" -n',
    ],
  },
  history: {
    '': ['individuals amara.okafor', 'departments Engineering --where "What = \'update\'"'],
    prune: '--older-than 365d -n',
  },
  find: { '': ['svob', 'strauss --resource individuals', 'cable --limit 5 -o json'] },
  mcp: { '': ['-p local', '-p local --allow-apply'] },
  log: { '': ['--since -30d --limit 20', '--where "What = \'delete\'"'] },
  explain: { '': ['individuals', 'individuals.UserName', 'individuals --operations'] },
  serve: { '': ['--sample small', '--drain 10', '--port 8080 --site "Harbour Works"'] },
  openapi: { '': '' },
  clone: {
    '': [
      'local postgres://pm@db.example.org/pm -n',
      'local postgres://pm@db.example.org/pm',
      'postgres://pm@db.example.org/pm ./copy.db',
    ],
  },
  profiles: {
    list: '',
    show: 'local',
    use: 'local',
    test: 'prod',
    delete: ['pm profiles add old --url https://pm.example.com', 'old'],
    add: ['prod --url https://pm.example.com --user ann --protected', 'prod --url https://pm.example.com -n'],
  },
  login: { '': '-p prod --user ann' },
  logout: { '': '-p prod' },
  whoami: { '': '' },
  tokens: {
    create: '--kind user',
    list: '',
    revoke: ['pm tokens create --kind user', '$(pm tokens list -o id)'],
  },
  api: { '': ['GET /me -p prod', 'PUT /metrics/1f0c…/undelete -p prod -n'] },
  doctor: { '': '' },
  config: { list: '--origin' },
  can: {
    '': [
      'amara.okafor update department Engineering --why',
      'luis.ferreira read individual amara.okafor',
      '--who delete individual luis.ferreira',
      'luis.ferreira --what',
      'luis.ferreira update department Engineering --if "allow update on department Engineering to luis.ferreira"',
    ],
  },
  passwd: { '': ['amara.okafor --new-password-file password.txt', 'amara.okafor --new-password-stdin'] },
  completion: { bash: '', zsh: '', fish: '', powershell: '', install: ['--shell bash -n', '--shell zsh -n'] },
  commands: { '': ['-o json', 'departments', '--where "Writes = false" -o id'] },
  help: { '': ['where', 'individuals list'] },
};

/** The examples of a command, by the words that call it; of a group one for each of its verbs. */
export function examplesOf(path: string): readonly string[] {
  const [, first = '', verb] = path.split(' ');
  const name = resources.find(({ aliases }) => aliases.includes(first))?.command ?? first;
  const examples = RESOURCE_EXAMPLES[name] ?? COMMANDS[name] ?? {};
  const lines = (of: string): readonly string[] =>
    [examples[of] ?? []].flat().map((line) => whole(`pm ${name}${of && ` ${of}`}`, line));
  if (verb !== undefined || '' in examples) return lines(verb ?? '');
  return Object.keys(examples).flatMap((of) => lines(of).slice(-1));
}

const whole = (command: string, line: string): string => (line.startsWith('pm ') ? line : `${command} ${line}`.trim());
