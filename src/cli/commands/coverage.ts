// The topic coverage: every operation of the service, read off the contract, with its command and its source.
import { everyResource } from '../../contract/index.ts';
import { addressOf, type Operation, sourceOf } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { widthsOf } from '../../text/columns.ts';
import { kebab } from '../names.ts';
import { drawnTable } from '../output/formats/drawn-table.ts';

const HEAD = `OPERATIONS OF THE SERVICE

Each operation works on the embedded engine, over pm serve and from the command
line. Its source says where it is known from: the interface document, the help
pages of a deployed service, or inferred from its neighbours. A profile can
lead an operation that is not from the document to another address.
`;

const TITLES = ['Method', 'Path', 'Command', 'Label', 'Source'];
const SOURCES = ['document', 'help pages', 'inferred'];

/** The topic: one line for each address, but for those that only pm serve has. */
export async function coverage(): Promise<string> {
  const all = everyResource.flatMap(coverageOf).filter(([, , , , source = '']) => SOURCES.includes(source));
  const counts = SOURCES.map((source) => `${all.filter((one) => one[4] === source).length} ${source}`);
  const rows = [TITLES, ...all];
  const lines = (await drawnTable(rows, { widths: widthsOf(rows) })).map((line) => `  ${line}\n`);
  return `${HEAD}\n${all.length} operations: ${counts.join(', ')}.\n\n${lines.join('')}`;
}

/** One row for each address, with the cells of `TITLES`. */
const coverageOf = (resource: Resource): readonly (readonly string[])[] =>
  Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([name, route]) => {
      const { method, path } = addressOf(route);
      return [method, path, commandOf(resource, operation), operation.labels.join(' '), sourceOf(operation, name)];
    }),
  );

function commandOf(resource: Resource, operation: Operation): string {
  if (operation.verb === 'unsupported') return '(the service does not do this)';
  return resource.hidden ? `pm ${operation.name}` : `pm ${resource.command} ${kebab(operation.name)}`;
}
