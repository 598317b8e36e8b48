// pm mcp: tools for an agent, by the Model Context Protocol over stdio. It reads and plans; a person applies.
import { join } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { actionOf, changing, type Run, type RunLine } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOf } from '../profiles/home.ts';
import type { Streams } from '../streams.ts';

interface Options {
  readonly allowApply?: boolean;
}

export function build(run: Run, _io: Streams, runLine: RunLine): Command {
  return changing('mcp', 'Offer tools to an agent, by the Model Context Protocol over stdio (pm help agents).')
    .option('--allow-apply', 'also a tool that applies a plan; never on a protected profile')
    .action(actionOf(run, (context: Context, options: Options) => mcp(context, options, runLine)));
}

async function mcp(context: Context, { allowApply = false }: Options, runLine: RunLine): Promise<number> {
  const { settings, io } = context;
  if (allowApply && settings.remote?.protected)
    throw new ServiceError('usage', `${settings.profile} is protected: no agent applies a plan there`, {
      hint: 'Leave --allow-apply out: it plans, and you apply.',
    });
  const [{ lineRunner }, { READING }, { APPLYING, PLANNING }, { serveTools }] = await Promise.all([
    import('../mcp/lines.ts'),
    import('../mcp/reading.ts'),
    import('../mcp/planning.ts'),
    import('../mcp/server.ts'),
  ]);
  const { profile, databaseFlag, site, as } = settings;
  const always = [
    databaseFlag === undefined ? `--profile=${profile}` : `--database=${databaseFlag}`,
    ...['--output=json', '--errors=json', '--no-input', '--no-progress'],
    ...(site === undefined ? [] : [`--site=${site}`]),
    ...(as === undefined ? [] : [`--as=${as}`]),
  ];
  const folder = join(homeOf(io), 'plans');
  await serveTools(io, process.env.PM_VERSION ?? '0.0.0', [...READING, ...PLANNING, ...(allowApply ? APPLYING : [])], {
    run: lineRunner(runLine, io, always),
    planFile: (plan) => join(folder, `${plan}.plan`),
  });
  return 0;
}
