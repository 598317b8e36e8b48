// YAML, written so that readers of YAML 1.1 and 1.2 understand the same.
import {
  type CreateNodeOptions,
  type DocumentOptions,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
} from 'yaml';
import { escapeJson } from '../../../text/escape.ts';
import type { Formatter } from '../result.ts';

type Style = DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions;

const PLAIN: Style = {
  compat: 'yaml-1.1',
  lineWidth: 0,
  aliasDuplicateObjects: false,
};
const QUOTED: Style = {
  ...PLAIN,
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'QUOTE_DOUBLE',
};

/** A list is written record by record: together they are one sequence. */
export const yaml: Formatter = async ({ rows, one }, _options, sink) => {
  let count = 0;
  for await (const row of rows) {
    await sink.add(yamlText(one ? row : [row]));
    count++;
    if (one) return count;
  }
  if (count === 0) await sink.add(one ? 'null\n' : '[]\n');
  return count;
};

/** Any value as a document. Characters that YAML may not hold, or that no one could see, are escaped in double quotes. */
export function yamlText(value: unknown): string {
  const text = stringify(value, PLAIN);
  return escapeJson(text) === text ? text : escapeJson(stringify(value, QUOTED));
}
