// pm explain: a resource or one of its fields, with its rules and their source.
import type { Command } from 'commander';
import { meantBy } from '../../changes/rows/column-synonyms.ts';
import { ServiceError } from '../../contract/errors.ts';
import { docOf, type Field } from '../../contract/field.ts';
import { addressOf, sourceOf } from '../../contract/operation.ts';
import { fieldSource, type Resource, type Row } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import { didYouMean } from '../../text/spelling.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import { fieldFlags, kebab, resourceCalled } from '../names.ts';
import { integers, type Shape, shapeFrom, texts } from '../output/result.ts';

const FIELDS: Shape = {
  ...shapeFrom('Field', {
    ...texts('Field', 'Type', 'Rule'),
    ...integers('Max'),
    ...texts('Flag', 'Source', 'Meaning'),
  }),
  whole: ['Field', 'Meaning'],
};
const ROUTES = shapeFrom('Route', texts('Command', 'Method', 'Path', 'Labels', 'Source'));

export function build(run: Run): Command {
  return reading('explain', 'What a resource or a field is, by which rules, and where that is known from.')
    .argument('<what>', 'a resource, or a field of it: individuals, individuals.UserName')
    .argument('[field]', 'the field as a word of its own: individuals UserName')
    .option('--operations', 'the operations instead of the fields')
    .action(actionOf(run, explain));
}

async function explain(
  context: Context,
  what: string,
  field: string | undefined,
  { operations }: { readonly operations?: boolean },
): Promise<number> {
  const [name = '', member = field] = what.split('.');
  const resource = resourceCalled(name, ': pm explain ');
  if (operations) return context.print({ shape: ROUTES, rows: routesOf(resource) });
  if (member === undefined) {
    context.note(`${resource.doc} (${resource.type}, known from: ${resource.source})`);
    return context.print({
      shape: FIELDS,
      rows: Object.keys(resource.fields).map((field) => describe(resource, field)),
    });
  }
  const found = fieldNamed(resource.fields, member) ?? unknownField(resource, member);
  return context.print({ shape: FIELDS, rows: [describe(resource, found)], one: true });
}

function describe(resource: Resource, name: string): Row {
  const field = resource.fields[name] as Field;
  const flags = fieldFlags(resource).filter((flag) => flag.name === name);
  const choices = field.choices
    ? ` ${Object.entries(field.choices)
        .map(([number, word]) => `${number} ${word}`)
        .join(', ')}.`
    : '';
  return {
    Field: name,
    Type: field.kind,
    Rule: field.deprecated ? `${field.rule}, deprecated` : field.rule,
    Max: field.max ?? null,
    Flag: flags.map((flag) => `--${flag.flag}`).join(' ') || null,
    Source: fieldSource(resource, field),
    Meaning: `${docOf(field)}${choices}`.trim() || null,
  };
}

function routesOf(resource: Resource): readonly Row[] {
  return Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([route, whole]) => ({
      Command: operation.verb === 'unsupported' ? null : `${resource.command} ${kebab(operation.name)}`,
      Method: addressOf(whole).method,
      Path: whole.slice(whole.indexOf(' ') + 1),
      Labels: operation.labels.join(' ') || null,
      Source: sourceOf(operation, route),
    })),
  );
}

const isOperation = ({ operations }: Resource, name: string): boolean =>
  Object.keys(operations).some((one) => kebab(one) === name.toLowerCase());

function unknownField(resource: Resource, member: string): never {
  const command = `pm explain ${resource.command}`;
  const meant = meantBy(resource.name, member.toLowerCase());
  throw new ServiceError('usage', `${resource.type} has no field ${member}`, {
    hint: isOperation(resource, member)
      ? `It is an operation: ${command} --operations`
      : didYouMean(meant ?? member, Object.keys(resource.fields), command, `: ${command}.`),
  });
}
