// Members that the records of a service have and the contract does not know: --set and --clear may name them (D11).
import type { Session } from '../../contract/call.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import { chunks } from '../../text/batches.ts';
import { withOthers } from '../output/fields.ts';

type Options = Readonly<Record<string, unknown>>;

/** So many records show which members there are. */
const SHOWN = 100;

/**
 * The resource with the members that its records have besides, where a flag names one. `id`: the record that is to be
 * changed; without it any of the site shows them.
 */
export async function withNamedOthers(
  session: Session,
  resource: Resource,
  options: Options,
  record?: { readonly id: string | undefined; readonly place: Row },
): Promise<Resource> {
  if (namesIn(options).every((name) => fieldNamed(resource.fields, name) !== undefined)) return resource;
  const { id, place = {} } = record ?? {};
  const rows =
    id === undefined
      ? await anyRecords(session, resource)
      : [(await session.find.record(resource.name, { id, place })).row ?? {}];
  return { ...resource, fields: withOthers(resource.fields, rows) };
}

const namesIn = ({ set, clear }: Options): readonly string[] =>
  [...textsIn(set).map((pair) => pair.replace(/=.*$/s, '')), ...textsIn(clear)].map((name) => name.trim());

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

async function anyRecords({ find }: Session, { name }: Resource): Promise<readonly Row[]> {
  for await (const first of chunks(find.all(name, 0), SHOWN)) return first;
  return [];
}
