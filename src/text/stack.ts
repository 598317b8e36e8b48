// Leads the stack of an error to the sources: the built program is a few long lines, with a map beside each file.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A call of a stack: the words before its place, then file, line and column, from 1. */
const CALL = /^( {4}at (?:[^(]*\(|async )?)(.+):(\d+):(\d+)(\)?)$/;

const maps = new Map<string, SourceMap | undefined>();

/** The stack; a call in a file without a map stays as it is. */
export const stackInSources = (error: Error): string =>
  (error.stack ?? String(error)).split('\n').map(lineInSources).join('\n');

function lineInSources(line: string): string {
  const [, before, file = '', row, column, after] = CALL.exec(line) ?? [];
  const entry = mapOf(file)?.findEntry(Number(row) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return line;
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  return `${before}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${after}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
