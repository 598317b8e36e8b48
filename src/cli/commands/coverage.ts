// The table of the topic coverage: every operation of the service, read off the contract, with its command and its source.
import { everyResource } from '../../contract/index.ts';
import { addressOf, documentRoute, type Operation, sourceOf } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { widthsOf } from '../../text/columns.ts';
import { kebab } from '../names.ts';
import { drawnTable } from '../output/formats/drawn-table.ts';
import { inPath, plansOf } from '../selectors/addresses.ts';

const TITLES = ['Method', 'Path', 'Command', 'Label', 'Source'];
const SOURCES = ['document', 'help pages', 'inferred'];

/** One line for each address, but for those that only pm serve has. */
export async function coverage(): Promise<string> {
  const all = everyResource.flatMap(coverageOf).filter(([, , , , source = '']) => SOURCES.includes(source));
  const counts = SOURCES.map((source) => `${all.filter((one) => one[4] === source).length} ${source}`);
  const rows = [TITLES, ...all];
  const lines = (await drawnTable(rows, { widths: widthsOf(rows) })).map((line) => `  ${line}\n`);
  return `${all.length} operations: ${counts.join(', ')}.\n\n${lines.join('').trimEnd()}`;
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
