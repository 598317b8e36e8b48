// Processes that have something, such as a job. The number of one that has ended is used again, and containers share a host name.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { LockOwner } from '../contract/jobs.ts';
import { once } from '../text/once-per.ts';

export const thisProcess = once(
  (): LockOwner => ({ pid: process.pid, host: [hostname(), ...systemOf(process.pid)].join(' ') }),
);

/** The start of the machine, the namespace of its process numbers, and the start of this process. Only Linux tells. */
function systemOf(pid: number): readonly string[] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name of the program, in parentheses, may hold blanks.
    const began = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[20] ?? '';
    return [boot, readlinkSync('/proc/self/ns/pid'), began];
  } catch {
    return [];
  }
}

/**
 * Does it still run? Undefined if that cannot be seen from here. `isLocal`: its job is reached from its machine alone,
 * and so has no owner any more when the machine was started again.
 */
export function isRunning({ pid, host }: LockOwner, isLocal: boolean): boolean | undefined {
  const [name, boot, pids, began] = host.split(' ');
  const [nameHere, bootHere, pidsHere] = thisProcess().host.split(' ');
  if (!boot || !bootHere) return name === nameHere ? isAlive(pid) : undefined;
  if (boot !== bootHere) return isLocal && name === nameHere ? false : undefined;
  if (pids !== pidsHere) return undefined;
  // Some systems hide the processes of other users.
  return isAlive(pid) && (systemOf(pid)[2] ?? began) === began;
}

/** EPERM: the process of another user is alive, and may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
