#!/usr/bin/env node
// Starts pm on the real process: arguments and streams in, exit code out.
const { join } = require('node:path');
const { load } = require('./load.js');

const { main } = load(join(__dirname, '../dist/main.js'));

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.stdout.on('error', (error) => {
  // A reader that has had enough is no failure; anything else could not be written.
  if (error.code === 'EPIPE') process.exit(141);
  process.exitCode = 10;
});
const streams = {
  // Node makes each stream when it is first touched, which takes its time, so each is touched only where it is used.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  get stdinIsTerminal() {
    return process.stdin.isTTY === true;
  },
  get stdoutIsTerminal() {
    return process.stdout.isTTY === true;
  },
  get stderrIsTerminal() {
    return process.stderr.isTTY === true;
  },
  get columns() {
    return process.stdout.columns ?? process.stderr.columns ?? 80;
  },
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
};

main(process.argv.slice(2), streams).then((code) => {
  process.exitCode ||= code;
});
