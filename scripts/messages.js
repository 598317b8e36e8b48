// node scripts/messages.js prints every text for people in the sources, one a line: where it stands, and what it says.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Statements for a database are for no reader. */
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA|FROM|WHERE|AND|OR|ORDER|JOIN|SET|BEGIN)\b/;
const isForPeople = (text) => /[a-z,;:}'"] ["'{(]?[a-z]/i.test(text) && !SQL.test(text);

/** The texts and the comments of a source, each with its line. A value that a text is filled with stands in braces. */
export function wordsIn(source) {
  const { program, comments } = parseSync('source.ts', source);
  const at = ({ start }) => source.slice(0, start).split('\n').length;
  const texts = [];
  const written = (node) => {
    if (node.type === 'ParenthesizedExpression') return written(node.expression);
    if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
    if (node.type === 'TemplateLiteral') {
      const filled = node.expressions.map(({ start, end }) => `{${source.slice(start, end).replace(/\s+/g, ' ')}}`);
      return node.quasis.map(({ value }, nth) => value.cooked + (filled[nth] ?? '')).join('');
    }
    if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
    const [left, right] = [written(node.left), written(node.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  };
  const read = (node) => {
    if (Array.isArray(node)) return node.forEach(read);
    if (!node?.type || node.type.startsWith('TS') || node.type === 'ImportDeclaration') return readOf(node);
    const text = written(node);
    if (text !== undefined && isForPeople(text)) texts.push({ line: at(node), text: text.replaceAll('\n', ' ⏎ ') });
    if (text === undefined || node.type === 'TemplateLiteral') readOf(node);
  };
  const readOf = (node) => {
    for (const member of Object.values(node ?? {})) if (member && typeof member === 'object') read(member);
  };
  read(program.body);
  return {
    texts,
    comments: comments.map((one) => ({ line: at(one), text: one.value.replace(/\s*\n\s*\*? ?/g, ' ') })),
  };
}

/** The words of each source below a folder. */
export function wordsOfSources(folder = join(ROOT, 'src')) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  return files.sort().map((file) => {
    const path = join(folder, file);
    return { file: relative(ROOT, path).replaceAll('\\', '/'), ...wordsIn(readFileSync(path, 'utf8')) };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = wordsOfSources().flatMap(({ file, texts }) =>
    texts.map(({ line, text }) => `${file}:${line}  ${text}`),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}
