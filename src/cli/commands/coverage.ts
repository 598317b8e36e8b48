// The topic coverage: every operation of the service, read off the contract, with its command and its source.
import { everyResource } from '../../contract/index.ts';
import { addressOf, documentRoute, type Operation, sourceOf } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { widthsOf } from '../../text/columns.ts';
import { kebab } from '../names.ts';
import { drawnTable } from '../output/formats/drawn-table.ts';
import { inPath, plansOf } from '../selectors/addresses.ts';

const HEAD = `OPERATIONS OF THE SERVICE

Each operation works on the embedded engine, over pm serve and from the command
line. Its source says where it is known from: the interface document, the help
pages of a deployed service, or inferred from its neighbours. A profile can
lead an operation that is not from the document to another address.
Where an operation has several addresses, its flags choose one. What has a +
behind its command is asked where a service lacks the address above it.
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
      return [
        method,
        path,
        commandOf(resource, operation, name),
        operation.labels.join(' '),
        sourceOf(operation, name),
      ];
    }),
  );

function commandOf(resource: Resource, operation: Operation, route: string): string {
  if (operation.verb === 'unsupported') return '(the service does not do this)';
  if (resource.hidden) return `pm ${operation.name}`;
  return `pm ${resource.command} ${kebab(operation.name)}${waysTo(resource, operation, route)}`;
}

/** The flags by which a command line means a route; a plus where it is not asked first. */
function waysTo(resource: Resource, operation: Operation, route: string): string {
  const plans = plansOf(resource, operation);
  const plan = plans.find((one) => one.route === route);
  if (operation.writes) return route === (documentRoute(operation) ?? plans[0]?.route) ? '' : ' +';
  if (!plan) return ' +';
  const site = plan.site.length > 0 && plans.some((one) => one.site.length === 0) ? ' --site' : '';
  const flags = inPath(plan.flags).map(({ flag }) => ` --${flag}`);
  return `${flags.join('')}${site}${plan.mine ? ' --mine' : ''}${/rganizations$/.test(route) ? ' --organizations' : ''}`;
}
