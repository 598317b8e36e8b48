// pm archives take: a snapshot of something as it stands now (D29).
import { changeBy } from '../../changes/plan/change.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import { type Context, checkLocal } from '../context.ts';
import { shapeOf } from '../output/shape.ts';
import { resolve } from '../selectors/selectors.ts';

/** What may be archived, by the flag that names it. */
const KINDS = { metric: 'metric', project: 'project', individual: 'individual', department: 'organization' } as const;
type Kind = keyof typeof KINDS;

export interface Snapshot extends Readonly<Partial<Record<Kind, string>>> {
  readonly name: string;
  readonly comment?: string;
}

export async function take(context: Context, item: string | undefined, options: Snapshot): Promise<number> {
  checkLocal(context, 'archives take');
  const named = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const text = options[kind];
    return text === undefined ? [] : [{ text, targets: [KINDS[kind]] }];
  });
  const given = item === undefined ? named : [...named, { text: item, targets: Object.values(KINDS) }];
  const [one, ...more] = given;
  if (!one || more.length > 0) throw whichOne();
  const { archive } = contract;
  const session = await beginChange(context, shapeOf(archive));
  const id = await resolve(session, one.text, { targets: one.targets, deleted: 0 });
  const { name: Name, comment } = options;
  const body = { Item: id, Name, ...(comment === undefined ? {} : { Comment: comment }) };
  return makeChanges(context, session, archive, [changeBy(archive.operations.take, { body })], { one: true });
}

const whichOne = (): ServiceError =>
  new ServiceError('usage', 'pm archives take needs to know of what, once', {
    hint: 'Name it with --metric, --project, --individual or --department, or give its ID.',
  });
