// A new site (D1): local, since the service has no route for it.
import type { Input } from '../../contract/call.ts';
import type { Row } from '../../contract/resource.ts';
import { validate } from '../../contract/validate.ts';
import type { Change } from '../context.ts';
import { answer } from '../records/answer.ts';
import { bear } from '../records/new-site.ts';
import type { Target } from '../target.ts';

export async function createSite(change: Change, target: Target, input: Input): Promise<Row> {
  const { values } = validate(
    { fields: target.operation.takes ?? {}, what: 'the new site' },
    input.body ?? {},
    'create',
  );
  const site = await bear(change, {
    name: String(values.Name),
    admin: String(values.Admin),
    global: false,
  });
  return answer(change, target.resource, site);
}
