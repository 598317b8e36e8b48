// `-o xml`: the records as the service would write them.
import { xmlWriter } from '../../../wire/xml-writer.ts';
import type { Formatter } from '../result.ts';

export const xml: Formatter = async ({ shape, rows, one, columns, chosen }, { namespace }, sink) => {
  const writer = xmlWriter({
    type: shape.type,
    fields: shape.fields,
    namespace,
    indented: true,
    ...(shape.xmlOrder ? { xmlOrder: shape.xmlOrder } : {}),
    ...(chosen ? { members: new Set(columns) } : {}),
  });
  if (!one) await sink.add(writer.opening);
  let count = 0;
  for await (const row of rows) {
    const full = sink.add(one ? writer.one(row) : writer.member(row));
    if (full) await full;
    count++;
    if (one) return count;
  }
  await sink.add(one ? writer.one(null) : writer.closing);
  return count;
};
