// Loads the files of the program together with the machine code that V8 made of them at the build: compiling is most of
// what a short command does.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const loaded = new Map();

/** Answers what a file exports. Code that another V8 has made is passed over by V8 itself. */
exports.load = (file) => {
  const known = loaded.get(file) ?? run(file, compiled(file, codeOf(file)));
  loaded.set(file, known);
  return known;
};

/** Loads a file without its code. `code` answers that of all that has run until then. */
exports.loadAnew = (file) => {
  const script = compiled(file, undefined);
  return { exported: run(file, script), code: () => script.createCachedData() };
};

/** Where the code of a file is kept. */
exports.codeFile = (file) => `${file}.cache`;

function codeOf(file) {
  try {
    return readFileSync(exports.codeFile(file));
  } catch {
    return undefined;
  }
}

function compiled(file, cachedData) {
  const source = `(function (exports, require, module, __filename) {${readFileSync(file, 'utf8')}\n})`;
  return new Script(source, { filename: file, cachedData });
}

function run(file, script) {
  const module = { exports: {} };
  const others = createRequire(file);
  const requireFrom = (name) => (name.startsWith('./') ? exports.load(join(dirname(file), name)) : others(name));
  script.runInThisContext()(module.exports, requireFrom, module, file);
  return module.exports;
}
