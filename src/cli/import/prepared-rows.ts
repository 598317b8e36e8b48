// Prepares the rows of an input file: those that fit the filters of --rows, with the columns of --set.
import { cellValue } from '../../changes/files/bad-file.ts';
import type { Cell, FileFault, FileRow, InputFile } from '../../changes/files/index.ts';
import { standsForNone } from '../../changes/rows/cells.ts';
import { plain } from '../../changes/rows/column-synonyms.ts';
import { SET, settableCalled } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Field, text } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import { quoted } from '../../text/escape.ts';
import { folded } from '../../text/folded.ts';
import { trimBlanks } from '../../text/names.ts';
import { oncePer } from '../../text/once-per.ts';
import { nearest } from '../../text/spelling.ts';
import { sidesOf } from '../changes/flags.ts';
import { compileWhere } from '../output/where.ts';

interface SetColumn {
  /** `--set Department`, as faults call it. */
  readonly column: string;
  readonly text: string;
  /** A user name or an e-mail that is made: its cells are spelled out, and no two rows may have the same. */
  readonly isLogin?: boolean;
}

/** The columns of --set. Throws `usage` for what is no field, or none that a command may fill. */
export const setColumns = (resource: Resource, pairs: readonly string[] = []) =>
  pairs.map((pair) => {
    const [field, text] = sidesOf(pair, pair.indexOf('='));
    const member = settableCalled(resource, field);
    const hint = `Write --set 'Field=value'; the fields: pm explain ${resource.command}`;
    if (!member) throw new ServiceError('usage', `--set ${field || pair} names no field that it can fill`, { hint });
    const isCopy = text === `{${placeholdersIn(text)[0]}}`;
    const isLogin = member === 'UserName' || (/^(?:User)?Email$/.test(member) && !isCopy);
    return { column: `${SET}${field}`, field, text, isLogin: isLogin && placeholdersIn(text).length > 0 };
  });

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** The columns that a text names in braces. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

export const filledIn = (text: string, cellOf: (column: string) => string): string =>
  text.replaceAll(PLACEHOLDER, (_all, name: string) => cellOf(name));

/** The place of the column that is called so, by its very name or by its letters and digits. Throws `usage` without one. */
export function placeOf(columns: readonly string[], name: string): number {
  const exact = columns.indexOf(name);
  const at = exact >= 0 ? exact : columns.findIndex((column) => plain(column) === plain(name));
  if (at >= 0) return at;
  const close = nearest(name, columns);
  throw new ServiceError('usage', `the file has no column ${name}`, {
    hint: close ? `Did you mean {${close}}?` : `Its columns: ${columns.join(', ')}.`,
  });
}

/** The file with these columns behind its own, where it has none of that name. Throws `usage` for a column that it lacks. */
export function withSetColumns(input: InputFile, sets: readonly SetColumn[], none?: ReadonlySet<string>): InputFile {
  const open = oncePer((names: readonly string[]) => sets.filter(({ column }) => !names.includes(column)));
  // The rows of a table share one array of names.
  const named = oncePer((names: readonly string[]) => {
    for (const { text } of sets) for (const name of placeholdersIn(text)) placeOf(names, name);
    return [...names, ...open(names).map(({ column }) => column)];
  });
  return {
    ...input,
    columns: input.columns && named(input.columns),
    async *rows() {
      const fillers = new Map(sets.map((set) => [set, filler(set, none)]));
      for await (const row of input.rows()) {
        const faults: FileFault[] = [];
        const cells = [...row.cells, ...open(row.names).map((set) => fillers.get(set)?.(row, faults) ?? null)];
        yield { ...row, names: named(row.names), cells, faults };
      }
    },
  };
}

/** Makes the cell of one row after another; where it cannot it adds a fault. */
function filler({ column, text, isLogin }: SetColumn, none: ReadonlySet<string> | undefined) {
  const wanted = placeholdersIn(text);
  const placesIn = oncePer((names: readonly string[]) => new Map(wanted.map((name) => [name, placeOf(names, name)])));
  return ({ line, names, cells }: FileRow, faults: FileFault[]): Cell => {
    const places = placesIn(names);
    const cellOf = (name: string): Cell => cells[places.get(name) ?? -1] ?? null;
    if (!isLogin && text === `{${wanted[0]}}`) return cellOf(wanted[0] ?? '');
    const textOf = (name: string): string => trimBlanks(String(cellOf(name) ?? ''));
    // An object or a list is none, either.
    const isNone = (part: string): boolean => /^(?:$|[[{])/.test(part) || none?.has(part.toLowerCase()) === true;
    const bad = wanted.find((name) => isNone(textOf(name)) || standsForNone(textOf(name)));
    if (bad !== undefined) {
      const value = cellValue(textOf(bad));
      const message = `needs a text in the column ${bad}, not ${quoted(value)}`;
      faults.push({ line, column, value, message, hint: 'Fill it in, or leave the row out.', cause: bad });
      return null;
    }
    const filled = filledIn(text, textOf);
    return isLogin ? spelledOut(filled) : filled;
  };
}

/** A text as user names are spelled: small letters without marks, digits and a few signs. */
const spelledOut = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[äöü]|[aou]\u0308/g, (letter) => `${folded(letter)}e`)
    .split('-')
    .map(folded)
    .join('-')
    .replaceAll(/[^\p{L}\p{N}._@+-]/gu, '');

/** The file with the rows that fit filters; its fields are the columns, by letters and digits. `onLeft` is called for each other row. Throws `usage` for a filter that does not fit the columns. */
export function withChosenRows(
  input: InputFile,
  filters: readonly string[],
  { now, onLeft }: { readonly now: Date; onLeft(): void },
): InputFile {
  // The rows of a table share one array of names.
  const chooser = oncePer((names: readonly string[]) => {
    const columns = names.map(plain);
    const fields = Object.fromEntries(columns.map((name): [string, Field] => [name, text('optional')]));
    const fits = compileWhere(filters, fields, now);
    return (cells: readonly Cell[]): boolean =>
      fits(Object.fromEntries(columns.map((name, at) => [name, trimBlanks(String(cells[at] ?? '')) || null])));
  });
  if (input.columns) chooser(input.columns);
  return {
    ...input,
    async *rows() {
      for await (const row of input.rows()) {
        if (chooser(row.names)(row.cells)) yield row;
        else onLeft();
      }
    },
  };
}
