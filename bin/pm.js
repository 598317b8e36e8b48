#!/usr/bin/env node
// Starts pm on the real process: arguments and streams in, exit code out.
import { main } from '../dist/main.js';

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.stdout.on('error', (error) => {
  // A reader that has had enough is no failure; anything else could not be written.
  if (error.code === 'EPIPE') process.exit(141);
  process.exitCode = 10;
});
process.exitCode ||= await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  stdinIsTerminal: process.stdin.isTTY === true,
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  columns: process.stdout.columns ?? process.stderr.columns ?? 80,
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
});
