#!/usr/bin/env node
// Starts pm on the real process: arguments and streams in, exit code out.
const DEFECT = 70;
const STORAGE = 10;
// Notes of Node to programmers are no answer to who runs pm.
process.noDeprecation = true;
if (process.argv[2] === '__complete') process.exit(completed());
const { getEventListeners } = require('node:events');
const { join } = require('node:path');
const { compileCacheFolder, mayBeTerminal, loaderOf, main, openStdout, reportUncaught } = built();
process.on('uncaughtException', (error) => process.exit(reportUncaught(error, process.argv.slice(2), process.env)));

/** Tab is answered without the program, and never with an error. */
function completed() {
  try {
    const { writeSync } = require('node:fs');
    const { complete } = require('../dist/complete.js');
    writeSync(1, complete(process.argv.slice(3), process.env, require.resolve('../dist/complete.json')));
  } catch {}
  return 0;
}

function built() {
  try {
    return require('../dist/main.js');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    process.stderr.write('error: pm is not built yet\nhint: npm run build\n');
    return process.exit(DEFECT);
  }
}

let loader;
const program = () => {
  const folder = compileCacheFolder(process.env);
  loader = folder && loaderOf(join(__dirname, '../dist'), folder, require);
  return loader ? loader.load('program.js') : require('../dist/program.js');
};
// Of an error that nobody caught, and of a defect, the kept code may be the cause.
process.on('exit', (code) => {
  if (code !== 1 && code !== DEFECT) loader?.end();
});

/** A shell may stand in a folder that was deleted. */
function workingDirectory() {
  try {
    return process.cwd();
  } catch {
    process.stderr.write('error: the working directory has been deleted\nhint: cd into another one.\n');
    return process.exit(STORAGE);
  }
}

const INTERRUPTED = 130;
let stderr;
let stop;
let stopCode;
// Whoever listens ends by itself, at the first signal; the second one waits for nobody.
const end = (code) => {
  const isHeard = stop !== undefined && !stop.signal.aborted && getEventListeners(stop.signal, 'abort').length > 0;
  if (!isHeard) process.exit(code);
  stopCode = code;
  stop.abort();
};
process.on('SIGINT', () => end(INTERRUPTED));
process.on('SIGTERM', () => end(143));
// Node aborts at its end where the terminal has gone: whoever was told so ends of the signal itself, which shells tell as 129.
process.once('SIGHUP', () => {
  process.on('exit', () => process.kill(process.pid, 'SIGHUP'));
  end(129);
});
// Ctrl-Break; Windows alone sends it.
process.on('SIGBREAK', () => end(INTERRUPTED));
const READER_GONE = 141;
const stdout = openStdout().on('error', (error) => {
  // A reader that has had enough is no failure; anything else could not be written.
  if (error.code === 'EPIPE') process.exit(READER_GONE);
  process.exitCode = STORAGE;
});
const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 };
const isTerminal = (name) => mayBeTerminal(DESCRIPTORS[name]) && process[name].isTTY === true;
const columns = (name) => (isTerminal(name) ? process[name].columns : 0);
const streams = {
  // Node makes each stream when it is first touched, which takes its time, so each is touched only where it is used.
  get stdin() {
    return process.stdin;
  },
  stdout,
  get stderr() {
    // What is being changed goes on: only the words about it are lost.
    stderr ??= process.stderr.on('error', ({ code }) => {
      process.exitCode = code === 'EPIPE' ? READER_GONE : STORAGE;
    });
    return stderr;
  },
  get stdinIsTerminal() {
    return isTerminal('stdin');
  },
  get stdoutIsTerminal() {
    return isTerminal('stdout');
  },
  get stderrIsTerminal() {
    return isTerminal('stderr');
  },
  get columns() {
    // A terminal that does not tell its width says 0.
    return columns('stdout') || columns('stderr') || 80;
  },
  env: process.env,
  get stopped() {
    stop ??= new AbortController();
    return stop.signal;
  },
  cwd: workingDirectory(),
  now: () => new Date(),
};

// Node ends with 0 where nothing is waited for any more, though the work is not done.
let hasEnded = false;
process.on('exit', (code) => {
  if (hasEnded || code !== 0) return;
  process.exitCode = reportUncaught(new Error('the work stopped before its end'), process.argv.slice(2), process.env);
});

main(process.argv.slice(2), streams, program).then((code) => {
  hasEnded = true;
  process.exitCode ||= code === INTERRUPTED ? (stopCode ?? code) : code;
  if (code === 0) loader?.keep();
  // Node's own end gives all memory back first, which takes longer than a short command writes.
  if (stderr === undefined)
    stdout.write('', (error) => {
      if (!error) process.exit();
    });
});
