// The limits of P8. `row`: Fastify that looks the caller up in a map by its header, reads the record by better-sqlite3 and
// writes it as JSON. `constant`: it answers one text. It checks nothing else. Called with the driver, and what it reads or
// answers.
import Fastify from 'fastify';

const [kind, driver, ...rest] = process.argv.slice(2);
const app = Fastify();
if (kind === 'row') {
  const { default: Database } = await import(driver);
  const [file, columns, authorization, site] = rest;
  const read = new Database(file, { readonly: true }).prepare(
    `SELECT ${columns} FROM accountability WHERE SiteID = ? AND ID = ?`,
  );
  const sites = new Map([[authorization, site]]);
  app.get('/v4/accountabilities/:id', async ({ headers, params }, reply) =>
    reply.type('application/json').send(JSON.stringify(read.get(sites.get(headers.authorization), params.id))),
  );
} else {
  app.get('*', async (_request, reply) => reply.type('application/json').send(rest[0]));
}
process.stdout.write(`Serving ${await app.listen({ host: '127.0.0.1', port: 0 })} \n`);
