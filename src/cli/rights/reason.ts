// The reason of a right in short, as columns of a table: the basis, the group, the record and the type of its children.
import type { Row, Value } from '../../contract/resource.ts';
import { CHILD_TYPES, type RightsBasis, type RightsSource, type RightsVerdict } from '../../contract/rights.ts';
import { texts } from '../output/result.ts';

export const REASON = texts('By', 'Through', 'On', 'About');

const WORDS: Readonly<Record<RightsBasis, string>> = {
  administrator: 'administrator',
  label: 'administrators only',
  global: 'global administrators only',
  unread: 'may not read it',
  row: 'permission',
  default: 'no permission',
};

export function reasonOf({ by, role, steps }: Pick<RightsVerdict, 'by' | 'role' | 'steps'>): Row {
  const step = steps.find(({ state }) => state !== 0);
  const rows = step?.rows.filter(({ ID }) => step.deciding.includes(String(ID))) ?? [];
  return reasonRow({ by, role, rows, ...(step && { on: step.object }) });
}

export function reasonRow({ by, role, on, rows }: Pick<RightsSource, 'by' | 'role' | 'on' | 'rows'>): Row {
  const By = role ?? WORDS[by];
  if (by !== 'row') return { By, Through: null, On: null, About: null };
  return {
    By,
    Through: rows.every(isOfGroup)
      ? joined(rows.map(({ PrincipalName, PrincipalID }) => PrincipalName ?? PrincipalID))
      : null,
    On: on ?? null,
    About: joined(rows.map(({ ChildType }) => (ChildType === null ? null : CHILD_TYPES[String(ChildType)]))),
  };
}

const GROUP = 2;
export const isOfGroup = ({ PrincipalType }: Row): boolean => PrincipalType === GROUP;

const joined = (words: readonly (Value | undefined)[]): string | null =>
  [...new Set(words.filter((word) => word !== null && word !== undefined))].join(', ') || null;

export const filled = (columns: readonly string[], rows: readonly Row[]): readonly string[] =>
  columns.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
