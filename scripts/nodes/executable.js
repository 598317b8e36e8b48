// Other versions of Node, as npx brings them from the registry.
import { spawnSync } from 'node:child_process';

/** The path of the newest Node of a line such as 24, and its whole version. Throws where it cannot be had. */
export function executable(line) {
  const path = output('npx', ['-y', `node@${line}`, '-p', 'process.execPath']);
  const version = output(path, ['-p', 'process.versions.node']);
  if (!version.startsWith(`${line}.`)) throw new Error(`npx node@${line} brought Node ${version}`);
  return { path, version };
}

function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}
