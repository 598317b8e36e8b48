// --edit: one record in the user's editor, which opens again until what was written can be done.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adviceIn, type Fault, invalid, listedCandidates, ServiceError } from '../../contract/errors.ts';
import { docOf, type Field } from '../../contract/field.ts';
import { guidsIn, isRefusal, RULES } from '../../contract/kinds.ts';
import { isImmutable } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import { referencesOf } from '../../sites/state/references.ts';
import { isObject } from '../../text/defined.ts';
import { sanitise } from '../../text/escape.ts';
import { didYouMean } from '../../text/spelling.ts';
import { systemCode } from '../../text/system-code.ts';
import { isRefused } from '../changes/failures.ts';
import type { Context } from '../context.ts';
import { choiceWord, type FieldFlag, fieldFlags } from '../names.ts';
import { isChoosing } from '../selectors/chosen.ts';
import { withNamedOthers } from '../selectors/other-members.ts';
import { type CommandInput, idsFor, ownersGiven } from '../selectors/owner-flags.ts';
import { inWords, notFound } from '../selectors/selectors.ts';
import { servedResource } from '../selectors/state-numbers.ts';
import { missingMembers } from './required.ts';
import { readBody, readValue } from './values.ts';

type Members = Readonly<Record<string, unknown>>;

interface Editing {
  readonly context: Context;
  readonly resource: Resource;
  readonly isNew: boolean;
  readonly fields: readonly EditedField[];
  /** What the flags give; what is edited comes after it. */
  readonly given: Members;
  /** What stood there at first. */
  readonly first: ReadonlyMap<string, string>;
}

type Make = (members: Members) => Promise<number>;

/**
 * Opens the editor on the record, and hands on the members that were changed, with those of the flags. On a fault the editor
 * opens again with it at the top. Closed then without a change, it throws that error, which names the file that is kept.
 * Answers the exit code. Throws as `editorOf` and `runEditor`, and what `make` throws.
 */
export async function editAndMake(context: Context, asked: CommandInput, make: Make): Promise<number> {
  const editor = editorOf(context);
  const [editing, text] = await begin(context, asked);
  const draft = newDraft(singular(asked.resource), text);
  try {
    const exit = await editUntilDone(editing, draft, () => runEditor(context, editor, draft.file), make);
    draft.forget();
    return exit;
  } catch (error) {
    if (draft.read() !== text) throw kept(error, draft.file);
    draft.forget();
    throw error;
  }
}

async function editUntilDone(editing: Editing, draft: Draft, open: () => Promise<void>, make: Make): Promise<number> {
  let failure: ServiceError | undefined;
  for (;;) {
    const before = draft.read();
    draft.write(before, failure);
    await open();
    const text = draft.read();
    if (failure && text === before) throw failure;
    try {
      const members = await changedMembers(editing, text);
      if (members) return await make(members);
      editing.context.note('Nothing was changed.');
      return 0;
    } catch (error) {
      if (!isRefused(error)) throw error;
      failure = error;
    }
  }
}

type Draft = ReturnType<typeof newDraft>;

/** A file that its owner alone can read. */
function newDraft(what: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pm-edit-'));
  const file = join(folder, `${what.replaceAll(' ', '-')}.yaml`);
  const write = (lines: string, failure: ServiceError | undefined): void =>
    writeFileSync(file, failure ? `${faultLines(failure)}${lines}` : lines, { mode: 0o600 });
  write(text, undefined);
  return {
    file,
    /** Without the lines of a fault. */
    read: (): string => readFileSync(file, 'utf8').replace(FAULT, ''),
    write,
    forget: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

const FAULT = /^#! .*\n/gm;

function faultLines(error: ServiceError): string {
  const { message, hint, faults } = error;
  const advised = (text: string, advice: string | undefined): string => (advice ? `${text} (${advice})` : text);
  const lines =
    faults.length > 0
      ? faults.map((one) => advised(`${one.field} ${one.message}`, one.hint))
      : [advised(message, hint), ...listedCandidates(error).map((one) => `  ${one}`)];
  return [...lines, MEND].map((line) => `#! ${sanitise(line)}\n`).join('');
}

const MEND = 'Correct it, save, and close the editor. To give up, close it without a change.';

function kept(error: unknown, file: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, hint, faults, candidates } = error;
  const both = [hint, `What was typed is kept in ${file}`].filter(Boolean).join(' ');
  return new ServiceError(code, message, { ...adviceIn(error), hint: both, faults, candidates, cause: error });
}

async function begin(context: Context, asked: CommandInput): Promise<[Editing, string]> {
  const session = await context.session();
  const isNew = asked.operation.verb !== 'update';
  const row = isNew ? undefined : await recordToEdit(context, asked);
  const served = await servedResource(context, asked.resource);
  const place = row ? { id: String(row.ID), place: row } : undefined;
  const resource = await withNamedOthers(session, served, asked.options, place);
  const given = await readBody(context, resource, asked.options);
  const fields = editedFields(resource, isNew);
  const name = row ? ` ${nameOf(resource, row) ?? String(row.ID)}` : '';
  const heading = [`${isNew ? 'A new ' : 'The '}${singular(resource)}${sanitise(name)}.`, ...HELP];
  const text = await textToEdit(heading, fields, { ...row, ...given }, await referencesOf(session, resource, true));
  const first = await readEdited(text);
  const editing = { context, resource, isNew, fields, given };
  return [{ ...editing, first: 'members' in first ? first.members : new Map() }, text];
}

const HELP = [
  'Save it and close the editor to go on; without a change nothing is done.',
  'A line without a value makes the field empty, a line that you delete leaves it as it is.',
];

async function recordToEdit(context: Context, asked: CommandInput): Promise<Row> {
  const session = await context.session();
  const ids = isChoosing(context) || asked.given.includes('-') ? [] : await idsFor(context, asked, 0);
  const [id, ...more] = ids;
  if (id === undefined || more.length > 0)
    throw new ServiceError('usage', '--edit changes one record', { hint: 'Name one. For many: pm import, or flags.' });
  const place = await ownersGiven(session, asked.resource, asked.options, { deleted: 0, updating: true });
  const { row, refusal } = await session.find.record(asked.resource.name, { id, place });
  if (row) return row;
  throw refusal ?? (await notFound(session, id, { targets: [asked.resource.name], deleted: 0 }));
}

/** The members to send; undefined if the text says what it said at first. Throws `invalid` with all faults. */
async function changedMembers(editing: Editing, text: string): Promise<Members | undefined> {
  const { context, resource, isNew, given, first } = editing;
  const read = await readEdited(text);
  if ('fault' in read) throw new ServiceError('usage', read.fault);
  const written = [...read.members].filter(([name, value]) => (first.get(name) ?? '') !== value);
  if (written.length === 0) return undefined;
  const members: Record<string, unknown> = { ...given };
  const faults: Fault[] = [];
  for (const [name, value] of written) faults.push(...(await readInto(members, editing, name, value)));
  const { site } = (await context.session()).me;
  const missing = isNew ? missingMembers(resource, site, members) : [];
  const unread = faults.map(({ field }) => field);
  for (const field of missing.filter((name) => !unread.includes(name)))
    faults.push({ field, code: 'required', message: 'is required' });
  if (faults.length > 0) throw invalid(`the ${singular(resource)}`, faults);
  return members;
}

/** Puts one value into the members; answers what is wrong with it. */
async function readInto(
  members: Record<string, unknown>,
  { context, resource, isNew, fields }: Editing,
  written: string,
  value: string,
): Promise<readonly Fault[]> {
  const name = fieldNamed(resource.fields, written) ?? written;
  const field = fields.find((one) => one.name === name);
  if (!field) {
    const names = fields.map((one) => one.name);
    return [
      {
        field: written,
        code: 'unknown_member',
        message: 'is not a field that can be set here',
        hint: didYouMean(written, names, 'The text lists the fields that can be set.'),
      },
    ];
  }
  if (value === '' && isNew) delete members[name];
  if (value === '') {
    if (!isNew) members[name] = null;
    return [];
  }
  try {
    const answer = await readValue(context, field, value, await context.zone());
    if (isRefusal(answer)) return [{ field: name, code: 'malformed', message: answer.refused }];
    members[name] = answer;
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = [`cannot be found: ${error.message}`, ...listedCandidates(error)].join('; ');
    return [{ field: name, code: 'malformed', message, ...adviceIn(error) }];
  }
}

type EditedField = Pick<FieldFlag, 'name' | 'field' | 'targets'>;

/** The members that are edited: no secrets, no bytes, and of a record that is there no owner that never changes. */
function editedFields(resource: Resource, isNew: boolean): readonly EditedField[] {
  const flags = fieldFlags(resource).filter(
    ({ name, field }) => name !== 'ID' && field.kind !== 'bytes' && (isNew || !isImmutable(field)),
  );
  const names = [...new Set(flags.map(({ name }) => name))];
  return names.map((name) => {
    const own = flags.filter((flag) => flag.name === name);
    return { name, field: (own[0] as FieldFlag).field, targets: own.flatMap(({ targets }) => targets) };
  });
}

type NameIt = (member: string, value: Value) => Value;

async function textToEdit(
  heading: readonly string[],
  fields: readonly EditedField[],
  values: Members,
  nameIt: NameIt,
): Promise<string> {
  const { Document, Pair, Scalar } = await import('yaml');
  const document = new Document({});
  for (const one of fields) {
    const key = new Scalar(one.name);
    key.commentBefore = ` ${commentOf(one)}`;
    key.spaceBefore = true;
    document.add(new Pair(key, document.createNode(shown(one, values[one.name] as Value | undefined, nameIt))));
  }
  const lines = heading.map((line) => `# ${line}\n`).join('');
  const text = document.toString({ lineWidth: 0, nullStr: '' }).trimStart();
  return `${lines}\n${text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}`;
}

/** The kind of a member, its limits, and whether it is required, on one line. */
function commentOf({ field, targets }: EditedField): string {
  const { choices, kind, max, rule } = field;
  const form = choices
    ? `one of: ${Object.values(choices).map(choiceWord).join(', ')}`
    : targets.length > 0
      ? `${inWords(targets)}, by name or ID`
      : kind === 'text'
        ? max && `at most ${max} characters`
        : (FORMS[kind] ?? RULES[kind].form);
  const need = rule === 'optional' ? '' : 'required';
  const rest = [need, form].filter(Boolean).join(', ');
  return [docOf(field), rest && `(${rest})`].filter(Boolean).join(' ').replaceAll('\n', ' ');
}

const FORMS: Readonly<Partial<Record<Field['kind'], string>>> = {
  boolean: 'true or false',
  date: 'as 2026-03-31',
  day: 'as 2026-03-31',
  stamp: 'as 2026-03-31',
};

function shown({ name, field, targets }: EditedField, value: Value | undefined, nameIt: NameIt): unknown {
  if (value === null || value === undefined) return null;
  if (field.choices) return choiceWord(field.choices[Number(value)] ?? String(value));
  if (field.kind === 'guids') return guidsIn(value).map((id) => nameIt(name, String(id)));
  return targets.length > 0 ? nameIt(name, value) : value;
}

/** What stands in the text for each member, as it is written: 007 stays 007; or why it cannot be read. */
async function readEdited(text: string) {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { schema: 'failsafe' });
  const [error] = document.errors;
  if (error) return { fault: `this is not YAML: ${error.message}` };
  const value: unknown = document.toJS() ?? {};
  if (!isObject(value)) return { fault: 'this holds no members: write Name: value on each line' };
  return { members: new Map(Object.entries(value).map(([name, one]) => [name, [one].flat().join(', ')])) };
}

/** The command of the editor. Throws `usage` without a terminal to show it on, or without an editor. */
function editorOf({ io, settings }: Context): string {
  if (!settings.asks)
    throw new ServiceError('usage', '--edit needs a terminal', {
      hint: 'Give the fields as flags, or in a file: --from <file>',
    });
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (editor) return editor;
  throw new ServiceError('usage', '--edit needs an editor, and neither VISUAL nor EDITOR names one', {
    hint: 'Name one, as in: export EDITOR=nano. Or give the fields as flags, or in a file: --from <file>',
  });
}

/**
 * Runs the editor on a file until it is closed. What it draws goes to stderr: stdout may be a pipe. Throws `usage` where it
 * cannot be started or fails, `interrupted` where the process was asked to end meanwhile.
 */
async function runEditor({ io }: Context, editor: string, file: string): Promise<void> {
  const [command, args, shell] = callOf(editor, file, process.platform);
  // With a listener Ctrl-C, which the terminal sends to both, ends the editor first.
  io.stopped?.addEventListener('abort', () => {});
  const ended = await new Promise<number | string | null>((resolve) => {
    const child = spawn(command, [...args], { stdio: ['inherit', 2, 'inherit'], shell });
    child.on('error', (error) => resolve(systemCode(error) ?? error.message));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  if (io.stopped?.aborted) throw new ServiceError('interrupted', 'interrupted; nothing was changed');
  if (ended === 0) return;
  const why = ended === 'ENOENT' ? 'there is no such program' : `it ended with ${String(ended)}`;
  throw new ServiceError('usage', `the editor ${editor} failed: ${why}`, {
    hint: 'VISUAL and EDITOR name the editor.',
  });
}

/**
 * How the editor is started, as git does it: words in quotes stay together, and only what a shell must read goes to one,
 * with the file as its argument. Windows starts .cmd files by its shell alone.
 */
export function callOf(
  editor: string,
  file: string,
  platform: string,
): readonly [command: string, args: readonly string[], shell: boolean] {
  if (platform === 'win32') return [`${editor} "${file}"`, [], true];
  const [command, ...args] = wordsOf(editor) ?? [];
  return command === undefined
    ? ['sh', ['-c', `${editor} "$@"`, editor, file], false]
    : [command, [...args, file], false];
}

/** A part of a word: in quotes of either kind, escaped, or plain; or the blanks between words. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|\\(.)|([^\s'"\\|&;<>()$`*?[\]#~]+)|\s+/gsy;

/** The words of a command; undefined if it has more of a shell's language than quotes. */
function wordsOf(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const part of command.matchAll(PART)) {
    end = part.index + part[0].length;
    const [, single, double, escaped, plain] = part;
    const text = single ?? double?.replace(/\\(.)/gs, '$1') ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? '') + text;
    else if (word !== undefined) words.push(word);
    if (text === undefined) word = undefined;
  }
  if (word !== undefined) words.push(word);
  const isPlain = end === command.length && words[0] !== undefined && !words[0].includes('=');
  return isPlain ? words : undefined;
}
