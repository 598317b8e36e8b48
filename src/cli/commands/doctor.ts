// pm doctor: checks the machine, the files and the service, with advice for every fault.
import type { Command } from 'commander';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import { bad, type Finding } from '../doctor/finding.ts';
import { checkMachine } from '../doctor/machine.ts';
import { probe } from '../doctor/probe.ts';
import { checkService, lastTrial } from '../doctor/service.ts';
import { type Shape, shapeFrom, texts } from '../output/result.ts';
import type { Remote } from '../profiles/profiles.ts';

const SHAPE: Shape = {
  ...shapeFrom('Finding', texts('Check', 'State', 'Found', 'Advice')),
  whole: ['Check', 'State', 'Found', 'Advice'],
};

export function build(run: Run): Command {
  return reading('doctor', 'Look whether all is well: the machine, the files, the service.')
    .option('--probe', 'also write a scratch record to the service, and delete it again')
    .addHelpText('after', HELP)
    .action(actionOf(run, doctor));
}

const HELP = `
A fault makes the exit code 11. What is only a warning, or unknown, does not.`;

async function doctor(context: Context, { probe: probing = false }: { probe?: boolean }): Promise<number> {
  const { remote } = context.settings;
  if (probing && !remote) {
    throw new ServiceError('usage', '--probe is for remote services; local is the embedded engine', {
      hint: 'Name a remote profile: pm doctor --probe -p <profile>',
    });
  }
  const findings: Finding[] = [
    ...(await checkMachine(context)),
    ...(remote ? await serviceFindings(context, remote, probing) : []),
  ];
  await context.print({ shape: SHAPE, rows: findings.map((finding) => ({ ...finding })) });
  return findings.some(({ State }) => State === 'fault') ? EXIT.different : EXIT.ok;
}

/** A service with a fault is not tried. */
async function serviceFindings(context: Context, remote: Remote, probing: boolean): Promise<readonly Finding[]> {
  const findings = await checkService(context, remote);
  if (!probing) return [...findings, lastTrial(remote)];
  const isFaulty = findings.some(({ State }) => State === 'fault');
  const why = bad('trial', 'unknown', 'not tried: the service has a fault', 'Repair that first.');
  return [...findings, ...(isFaulty ? [why] : await probe(context, remote))];
}
