// The form of a file that is written, by the ending of its name.
import { extname } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';

/** Other endings of these forms. */
const SAME: Readonly<Record<string, string>> = { yml: 'yaml', jsonl: 'ndjson', tab: 'tsv' };

/** Endings that name a form: where it is not written, another one under that name would mislead. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['csv', 'tsv', 'json', 'ndjson', 'yaml', 'xml', 'md'],
  ...['xlsx', 'xlsm', 'xls', 'ods', 'html', 'htm', 'pdf', 'parquet', 'db', 'sqlite', 'zip', 'gz'],
]);

/** The one of these forms that the name of a file says; undefined where it says none of them. */
function formInName<F extends string>(file: string, forms: readonly F[]): F | undefined {
  const ending = endingOf(file);
  return forms.find((form) => form === (SAME[ending] ?? ending));
}

/** The form in which `--out <file>` is written; undefined where its name says none. Throws `usage` for one that is not written. */
export function formToWrite<F extends string>(file: string, forms: readonly F[], flag: string): F | undefined {
  const form = formInName(file, forms);
  if (form !== undefined || !KNOWN.has(endingOf(file))) return form;
  const written = forms.filter((one) => KNOWN.has(one)).join(', ');
  throw new ServiceError('usage', `--out ${file} says a form that is not written`, {
    hint: `What is written is ${written}: name the file so, or say ${flag} <form> for one of them under this name.`,
  });
}

const endingOf = (file: string): string => extname(file).slice(1).toLowerCase();
