// The limit of P10: undici that posts the rows of a table to a service over some connections. Called with the address, the
// table, how many connections, and the authorization.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Agent, request } from 'undici';

const [url, table, connections, authorization] = process.argv.slice(2);
const type = 'application/json';
const headers = { authorization, accept: type, 'content-type': type };
const dispatcher = new Agent({ connections: Number(connections), pipelining: 1 });
const rows = createReadStream(table)
  .pipe(parse({ columns: true }))
  [Symbol.asyncIterator]();

await Promise.all(Array.from({ length: Number(connections) }, postRows));
await dispatcher.close();

async function postRows() {
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    const body = JSON.stringify({ ID: randomUUID(), ...next.value, Rank: Number(next.value.Rank) });
    const answer = await request(url, { dispatcher, method: 'POST', headers, body });
    await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`a create is ${answer.statusCode}`);
  }
}
