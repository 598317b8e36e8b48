// How pm was called: what a command that it prints has to repeat to run as printed.
import type { Settings } from '../settings.ts';
import type { Streams } from '../streams.ts';
import { type Shell, shellOf } from './shell.ts';

export interface Calling {
  readonly shell: Shell;
  /** The profile, where somebody named it. */
  readonly profile?: string | undefined;
  /** The folder of --journal. */
  readonly journal?: string | undefined;
}

/** Without the settings, which may be what could not be read, only the shell is known. */
export function callingOf({ env }: Pick<Streams, 'env'>, settings?: Settings): Calling {
  const { profileNamed = false, profile, journal } = settings ?? {};
  return { shell: shellOf(env), profile: profileNamed ? profile : undefined, journal };
}

/** The flags to repeat; the journal is known to commands on jobs alone. */
export const repeated = ({ profile, journal }: Omit<Calling, 'shell'>, onJobs: boolean): readonly string[] => [
  ...(profile === undefined ? [] : ['-p', profile]),
  ...(onJobs && journal !== undefined ? ['--journal', journal] : []),
];
