// Example commands at the end of the help of a resource.
import { isSoft, type Resource } from '../contract/resource.ts';
import { demandedFlags } from './input/required.ts';
import { type FieldFlag, fieldFlags } from './names.ts';
import { listCommandOf } from './selectors/addresses.ts';

/** The examples, with the resource as the user called it. */
export function examplesOf(resource: Resource, name: string): string {
  const { list, update, undelete } = resource.operations;
  const one = resource.name === 'siteSetting' ? '' : resource.names.length > 0 ? ' <id or name>' : ' <id>';
  const lines = [
    ...(list ? [listCommandOf(resource).replace(resource.command, name)] : []),
    ...(resource.fields.ID && resource.operations.delete ? [`pm ${name} get${one} -o yaml`] : []),
    ...(resource.operations.create?.verb === 'create' ? [`pm ${name} create ${creation(resource)}`] : []),
    ...(update?.verb === 'update' ? [`pm ${name} update${one} ${sample(changeable(resource))} -n`] : []),
    ...(resource.operations.delete?.verb === 'delete'
      ? [`pm ${name} delete${one}${isSoft(resource) ? '' : ' --confirm local:1'}`]
      : []),
    ...(undelete ? [`pm ${name} undelete${one}`] : []),
    ...(OWN[resource.name] ?? []).map((line) => `pm ${name} ${line}`),
  ];
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n\nWhat its fields are: pm explain ${name}`;
}

/** Examples of verbs that only one resource has. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  archive: ["take --metric <ref> --name '2026 Q1'"],
  dashboard: ['get --individual me', 'metrics --of me --metric-type below'],
  metric: ['all --individual me'],
  metricValue: ['list --metric <ref> --start-date 2026-01-01 --end-date 2026-03-31'],
  task: [
    'create-separate --dialog <ref> --name <value> --responsible ann,bob',
    'toggle-completed <id or name>',
    'all --individual me',
  ],
};

const creation = (resource: Resource): string => demandedFlags(resource).map(sample).join(' ');

const sample = (flag: FieldFlag | undefined): string =>
  flag === undefined ? '' : `--${flag.flag} ${flag.targets.length > 0 ? '<ref>' : '<value>'}`;

/** A field for the example of an update: the first text, if there is one. */
const changeable = (resource: Resource): FieldFlag | undefined => {
  const flags = fieldFlags(resource).filter((flag) => flag.name !== 'ID' && flag.targets.length === 0);
  return flags.find((flag) => flag.field.kind === 'text') ?? flags[0];
};
