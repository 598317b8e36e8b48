// pm config: the settings in force, and where they come from.
import { Command } from 'commander';
import type { Row } from '../../contract/resource.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import { GLOBAL_FLAGS, type GlobalValues, longName } from '../globals.ts';
import { camel } from '../names.ts';
import { shapeFrom, texts } from '../output/result.ts';
import { configHomeOf, homeOf } from '../profiles/home.ts';
import { targetOf } from '../profiles/profiles.ts';
import { stateFile } from '../profiles/state-file.ts';

const FIELDS = texts('Setting', 'Value', 'Origin');

const DEFAULTS: Readonly<Record<string, string>> = {
  profile: 'local',
  output: 'table on a terminal, else tsv',
  color: 'auto',
  errors: 'text',
  tz: "the system's, in tables",
  wire: 'json',
  timeout: '30',
  retries: '3',
  concurrency: 'adaptive',
};

export function build(run: Run): Command {
  const group = new Command('config').description('The settings in force.').usage('<verb> [flags]');
  return group.addCommand(
    reading('list', 'List the settings in force.')
      .option('--origin', 'where each comes from: a flag, a variable, the profile, or nowhere')
      .action(actionOf(run, list)),
  );
}

async function list(context: Context, { origin, ...values }: GlobalValues & { origin?: boolean }): Promise<number> {
  const rows = [...filesOf(context), ...profileOf(context, values), ...flagsOf(context, values)];
  return context.print({
    shape: shapeFrom('Setting', FIELDS, origin ? undefined : ['Setting', 'Value']),
    rows: rows.map((row) => (origin ? row : { Setting: row.Setting ?? null, Value: row.Value ?? null })),
  });
}

function filesOf({ io }: Context): readonly Row[] {
  const home = homeOf(io);
  const configHome = configHomeOf(io);
  return [
    setting('home', home, io.env.PM_HOME ? 'PM_HOME' : 'default'),
    setting('config', stateFile(configHome, 'config'), 'home'),
    setting('credentials', stateFile(configHome, 'credentials'), 'home'),
  ];
}

function profileOf({ io, settings }: Context, values: GlobalValues): readonly Row[] {
  const { origin } = targetOf(values.profile, io);
  const profile = setting('profile', settings.profile, origin === 'flag' ? '--profile' : origin);
  const { remote } = settings;
  if (!remote) return [profile];
  const user = io.env.PM_USER ?? remote.user;
  return [
    profile,
    setting('url', remote.url, settings.profile === 'environment' ? 'PM_URL' : 'profile'),
    setting('user', user ?? null, io.env.PM_USER ? 'PM_USER' : user ? 'profile' : 'default'),
  ];
}

const setting = (name: string, value: string | null, origin: string): Row => ({
  Setting: name,
  Value: value,
  Origin: origin,
});

function flagsOf({ io, settings }: Context, values: GlobalValues): readonly Row[] {
  const given = values as Readonly<Record<string, unknown>>;
  return GLOBAL_FLAGS.filter(({ variable }) => variable !== undefined && variable !== 'PM_PROFILE').map((flag): Row => {
    const name = longName(flag).slice(2);
    const said = name.startsWith('no-')
      ? given[camel(name.slice(3))] === false
        ? 'yes'
        : undefined
      : given[camel(name)];
    const variable = io.env[flag.variable ?? ''];
    const kept = name === 'wire' || name === 'tz' ? settings.remote?.[name] : undefined;
    if (said !== undefined) return setting(name, String(said), longName(flag));
    if (variable) return setting(name, variable, flag.variable ?? '');
    if (kept !== undefined) return setting(name, kept, 'profile');
    return setting(name, DEFAULTS[name] ?? null, 'default');
  });
}
