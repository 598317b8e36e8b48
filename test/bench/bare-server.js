// The limit of P8: Fastify that answers always the same bytes. Called with the type and the text of the answer.
import Fastify from 'fastify';

const [type, text] = process.argv.slice(2);
const app = Fastify();
app.get('*', async (_request, reply) => reply.type(type).send(text));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`Serving ${url} \n`);
