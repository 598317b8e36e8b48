// pm help coverage: every operation of the service, read off the contract, with its command and where it is known from.
import { everyResource } from '../../contract/index.ts';
import { addressOf, type Operation, sourceOf } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { kebab } from '../names.ts';

interface Covered {
  readonly method: string;
  readonly path: string;
  readonly command: string;
  readonly labels: string;
  readonly source: string;
}

const HEAD = `OPERATIONS OF THE SERVICE

Each operation works on the embedded engine, over pm serve and from the command
line. Its source says where it is known from: the interface document, the help
pages of a deployed service, or inferred from its neighbours. A profile can
lead an operation that is not from the document to another address.
`;

/** The topic: one line for each address. */
export function coverage(): string {
  const all = everyResource.flatMap(coveredBy);
  const counts = ['document', 'help pages', 'inferred'].map(
    (source) => `${all.filter((one) => one.source === source).length} ${source}`,
  );
  const columns: readonly (keyof Covered)[] = ['method', 'path', 'command', 'labels', 'source'];
  const titles = { method: 'Method', path: 'Path', command: 'Command', labels: 'Label', source: 'Source' };
  const widths = columns.map((name) => Math.max(...[titles, ...all].map((one) => one[name].length)));
  const line = (one: Covered): string =>
    `  ${columns.map((name, at) => one[name].padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd();
  return `${HEAD}\n${all.length} operations: ${counts.join(', ')}.\n\n${[titles, ...all].map(line).join('\n')}\n`;
}

const coveredBy = (resource: Resource): readonly Covered[] =>
  Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([name, route]) => {
      const { method, path } = addressOf(route);
      return {
        method,
        path,
        command: commandOf(resource, operation),
        labels: operation.labels.join(' '),
        source: sourceOf(operation, name),
      };
    }),
  );

function commandOf(resource: Resource, operation: Operation): string {
  if (operation.verb === 'unsupported') return '(the service does not do this)';
  return resource.hidden ? `pm ${operation.name}` : `pm ${resource.command} ${kebab(operation.name)}`;
}
