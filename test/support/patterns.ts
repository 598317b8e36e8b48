// Collects the regular expressions of the sources, as the compiler reads them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { ROOT } from '../laws/imports.ts';

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

export interface Patterns {
  /** The literals, each once. */
  readonly literals: readonly Pattern[];
  /** The files that put an expression together, once for each time they do. */
  readonly composed: readonly string[];
}

/** Reads all sources of the program. */
export function patternsOf(files: readonly string[]): Patterns {
  const literals = new Map<string, Pattern>();
  const composed: string[] = [];
  const visit = (file: string) => (node: Node) => {
    if (node.kind === SyntaxKind.RegularExpressionLiteral) {
      const text = (node as Node & { readonly text: string }).text;
      const end = text.lastIndexOf('/');
      literals.set(text, { source: text.slice(1, end), flags: text.slice(end + 1), file });
    }
    if (node.kind === SyntaxKind.NewExpression && isRegExp(file, node)) composed.push(file);
    node.forEachChild(visit(file));
  };
  const api = new API({ cwd: ROOT });
  try {
    const [project] = api.updateSnapshot({ openProject: join(ROOT, 'tsconfig.json') }).getProjects();
    for (const file of files) project?.program.getSourceFile(join(ROOT, file))?.forEachChild(visit(file));
  } finally {
    api.close();
  }
  return { literals: [...literals.values()], composed };
}

const isRegExp = (file: string, { pos, end }: Node): boolean =>
  /^\s*new RegExp\b/.test(readFileSync(join(ROOT, file), 'utf8').slice(pos, end));

/** Can it match texts of any length? The time of the others has an end. */
export const isUnbounded = ({ source }: Pattern): boolean => /[*+]|\{\d+,\}/.test(source.replace(/\\./g, ''));
