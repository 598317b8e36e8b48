// The flags that set the members of a record: one for each writable field, and the ways to hand over many.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { isRefusal, RULES } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { fieldFlags } from '../names.ts';

/** Adds them to a command that writes. */
export function withFields(command: Command, resource: Resource): void {
  for (const { flag, name, field, targets } of fieldFlags(resource)) {
    const doc = [field.doc ?? `the ${name}`, limits(field)].filter(Boolean).join(' ');
    if (field.kind === 'boolean') command.option(`--${flag} [true|false]`, doc, (value) => asBoolean(flag, value));
    else command.option(`--${flag} ${valueName(field, targets)}`, doc);
  }
  if ('Password' in resource.fields) {
    command
      .option('--new-password-stdin', 'read the new password from stdin')
      .option('--new-password-file <file>', 'read the new password from a file');
  }
  command
    .option('--set <Field=value>', "set a field by the service's name for it", collect)
    .option('--clear <Field>', 'make a field empty', collect)
    .option('--from <file>', 'members from a JSON or YAML file; - reads stdin');
}

const valueName = ({ kind }: Field, targets: readonly string[]): string =>
  targets.length === 0 ? '<value>' : kind === 'guids' ? '<refs>' : '<ref>';

/** A word behind the flag is its value, even where a name was meant. */
function asBoolean(flag: string, value: string): string {
  if (!isRefusal(RULES.boolean.read(value))) return value;
  throw new ServiceError('usage', `--${flag} is "${value}", not true or false`, {
    hint: `Write --${flag} true, or names in front of the flags: ${value} --${flag}`,
  });
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

function limits(field: { readonly rule: string; readonly max?: number; readonly deprecated?: true }): string {
  const notes = [
    field.rule.startsWith('required') && field.rule !== 'required on update' ? field.rule : '',
    field.max ? `max ${field.max}` : '',
    field.deprecated ? 'deprecated' : '',
  ];
  const said = notes.filter((note) => note !== '').join(', ');
  return said === '' ? '' : `(${said})`;
}
