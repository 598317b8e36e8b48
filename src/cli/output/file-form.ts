// The form of a file that is written, by the ending of its name.
import { extname } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';

/** Other endings of these forms. */
const SAME: Readonly<Record<string, string>> = { yml: 'yaml', jsonl: 'ndjson', tab: 'tsv' };

/** Endings that name a form. Another form under such a name would mislead, so it is refused. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['csv', 'tsv', 'json', 'ndjson', 'yaml', 'xml', 'md'],
  ...['xlsx', 'xlsm', 'xls', 'ods', 'html', 'htm', 'pdf', 'parquet', 'db', 'sqlite', 'zip', 'gz'],
]);

/** The form in which `--out <file>` is written; undefined if its name says none. Throws `usage` for a form that pm does not write. */
export function formToWrite<F extends string>(file: string, forms: readonly F[], flag: string): F | undefined {
  const ending = extname(file).slice(1).toLowerCase();
  const form = forms.find((one) => one === (SAME[ending] ?? ending));
  if (form !== undefined || !KNOWN.has(ending)) return form;
  const written = forms.filter((one) => KNOWN.has(one)).join(', ');
  throw new ServiceError('usage', `--out ${file} names a form that pm does not write`, {
    hint: `pm writes ${written}: name the file so, or add ${flag} <form>.`,
  });
}
