// The flags that set the members of a record, and the body that they give.
import type { Command } from 'commander';
import { NULL } from '../../changes/rows/cells.ts';
import type { Session } from '../../contract/call.ts';
import { type Fault, invalid, ServiceError } from '../../contract/errors.ts';
import { type Field, isDate, isWritable } from '../../contract/field.ts';
import { isRefusal, type Refusal, RULES } from '../../contract/kinds.ts';
import { readWritten } from '../../contract/params.ts';
import { type Resource, singular, type Value } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { didYouMean } from '../../text/spelling.ts';
import { collectValues } from '../command.ts';
import type { Context } from '../context.ts';
import { camel, type FieldFlag, fieldFlags, flagText, kebab, ON_SITE } from '../names.ts';
import { resolve } from '../selectors/selectors.ts';
import { wordsIn } from '../settings.ts';
import { fromFile, readBytes, readSecret } from './files.ts';
import { demandedFlags } from './required.ts';

/** The options of a command, by commander's keys. */
type Given = Readonly<Record<string, unknown>>;

/** The members that a command line sets, resolved and typed. Throws `invalid` with all faulty flags. */
export async function readBody(context: Context, resource: Resource, given: Given): Promise<Record<string, unknown>> {
  const zone = await context.zone();
  const body: Record<string, unknown> = await fromFile(context, resource, given.from, zone);
  const faults: Fault[] = [];
  const members = new Set<string>();
  const isTwice = (name: string, field: string): boolean => {
    const isSaid = members.has(name);
    if (isSaid) faults.push({ field, code: 'malformed', message: 'is said by another flag, too', hint: ONE_FLAG });
    members.add(name);
    return isSaid;
  };
  const put = async (flag: Parameters<typeof readValue>[1], written: string, said: string): Promise<void> => {
    if (isTwice(flag.name, said)) return;
    const answer = written === NULL ? undefined : await readValue(context, flag, written, zone);
    if (answer === undefined) faults.push({ field: said, code: 'malformed', ...ofSheets(flag.name) });
    else if (isRefusal(answer))
      faults.push({ field: said, code: 'malformed', message: answer.refused, ...hintFor(flag.field, zone) });
    else body[flag.name] = answer;
  };
  for (const pair of (given.set as readonly string[] | undefined) ?? []) {
    const { name, field, written } = readSetting(resource, pair);
    await put({ name, field, targets: (field.to ?? []).filter((target) => target !== 'site') }, written, name);
  }
  for (const written of (given.clear as readonly string[] | undefined) ?? []) {
    const name = settableMember(resource, written);
    if (!isTwice(name, `--clear ${name}`)) body[name] = null;
  }
  for (const flag of fieldFlags(resource)) {
    const written = given[camel(flag.flag)];
    if (written !== undefined) await put(flag, written === true ? 'true' : String(written), `--${flag.flag}`);
  }
  if (faults.length > 0) throw invalid(`the ${singular(resource)}`, faults);
  return { ...body, ...(await readSecret(context, given)) };
}

/** A sheet empties a field so: taken as the text, it would be a wrong value. */
const ofSheets = (name: string): Pick<Fault, 'message' | 'hint'> => ({
  message: `is ${NULL}, which makes a field empty in a sheet alone`,
  hint: `To make it empty: --clear ${name}`,
});

const ONE_FLAG = 'Leave one of the two out.';

/** A time without an offset is read where a zone is named. */
const hintFor = (field: Field, zone: Zone | undefined): { readonly hint?: string } =>
  field.anyNumber
    ? { hint: NUMBERED }
    : isDate(field) && !zone
      ? { hint: `Write a day such as 2026-03-31, ${RULES.date.form}, or name its zone: --tz Europe/Berlin.` }
      : {};

const NUMBERED = 'Give the number itself, or tell the profile: pm profiles add <name> --state Deny=7';

/** A member as a flag writes it. Throws as `resolve` where it names no record. */
export async function readValue(
  context: Context,
  flag: Pick<FieldFlag, 'name' | 'field' | 'targets'> & Partial<Pick<FieldFlag, 'flag'>>,
  written: string,
  zone: Zone | undefined,
): Promise<Value | Refusal> {
  const session = await context.session();
  const { field, targets } = flag;
  if (flag.flag === ON_SITE) return session.me.site;
  if (field.kind === 'guids') return readReferences(session, written, targets);
  if (targets.length > 0) return asNumber(await resolve(session, written, { targets, deleted: 0 }), field);
  if (field.choices || field.nullable) return valueOrRefusal(readWritten(field, written));
  if (field.kind === 'bytes' && written.startsWith('@'))
    return (await readBytes(context, `--${kebab(flag.name)}`, written.slice(1))).toString('base64');
  return RULES[field.kind].read(isDate(field) ? written.replace(SHOWN_TIME, '$1T') : written, zone);
}

/** A moment as pm shows it, with a blank before its time. */
const SHOWN_TIME = /^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/;

/** A comma-separated list of records; it may be empty. */
async function readReferences(session: Session, written: string, targets: readonly string[]): Promise<Value | Refusal> {
  const ids: string[] = [];
  for (const text of wordsIn(written)) ids.push(await resolve(session, text, { targets, deleted: 0 }));
  return RULES.guids.read(ids.join(' '));
}

const valueOrRefusal = (read: ReturnType<typeof readWritten>): Value | Refusal => ('value' in read ? read.value : read);

const asNumber = (id: string, field: Field): Value => (field.kind === 'integer' ? Number(id) : id);

function readSetting(resource: Resource, pair: string): { name: string; field: Field; written: string } {
  const at = pair.indexOf('=');
  if (at < 1) throw new ServiceError('usage', `--set ${pair} has no value`, { hint: 'Write --set Field=value.' });
  const name = settableMember(resource, pair.slice(0, at));
  if (resource.fields[name]?.writeOnly)
    throw new ServiceError('usage', `--set ${name}: a secret is never written on the command line`, {
      hint: 'Give it with --new-password-stdin or --new-password-file <file>.',
    });
  return { name, field: resource.fields[name] as Field, written: pair.slice(at + 1) };
}

/** The contract's name of a writable member. Throws `usage`. */
function settableMember(resource: Resource, given: string): string {
  const name = fieldNamed(resource.fields, given);
  if (name === undefined)
    throw new ServiceError('usage', `${resource.type} has no field ${given}`, {
      hint: didYouMean(given, Object.keys(resource.fields), `pm explain ${resource.command} lists the fields.`),
    });
  if (isWritable(resource.fields[name] as Field)) return name;
  throw new ServiceError('usage', `${resource.type}.${name} is read-only`, {
    hint: `pm explain ${resource.command} shows which fields can be set.`,
  });
}

/** Adds the flags of all writable fields to a command. `isNew`: those that a new record needs are marked. */
export function withFields(command: Command, resource: Resource, isNew: boolean): void {
  const demanded = isNew ? demandedFlags(resource) : [];
  for (const flag of fieldFlags(resource)) {
    const { field } = flag;
    const group = demanded.find((flags) => flags.some(({ name }) => name === flag.name)) ?? [];
    const need = ['', 'required', 'one of these is required'][Math.min(group.length, 2)] ?? '';
    const doc = [flag.flag === ON_SITE ? 'The site as a whole.' : field.doc, limits(field, need)]
      .filter(Boolean)
      .join(' ');
    if (field.kind === 'boolean') command.option(flagText(flag), doc, (value) => asBoolean(flag.flag, value));
    else command.option(flagText(flag), doc);
  }
  if ('Password' in resource.fields) withNewPassword(command);
  command
    .option('--set <Field=value>', "set a field by the service's name for it", collectValues)
    .option('--clear <Field>', 'make a field empty', collectValues)
    .option('--from <file>', 'members from a JSON or YAML file; - reads stdin')
    .option('--edit', 'write them in your editor ($VISUAL, $EDITOR)');
}

export const withNewPassword = (command: Command): Command =>
  command
    .option('--new-password-stdin', 'read the new password from stdin')
    .option('--new-password-file <file>', 'read the new password from a file');

/** commander takes the next word as the value, even if a name was meant. */
function asBoolean(flag: string, value: string): string {
  if (!isRefusal(RULES.boolean.read(value))) return value;
  throw new ServiceError('usage', `--${flag} is "${value}", not true or false`, {
    hint: `Write --${flag} true, or names in front of the flags: ${value} --${flag}`,
  });
}

function limits({ max, deprecated }: Field, need: string): string {
  const notes = [need, max !== undefined && `max ${max}`, deprecated && 'deprecated'];
  const said = notes.filter(Boolean).join(', ');
  return said === '' ? '' : `(${said})`;
}
