// A way to a service that takes so long: each piece of a request is handed on after so many milliseconds. Called with the
// port of the service and the milliseconds.
import { connect, createServer } from 'node:net';

const [port, milliseconds] = process.argv.slice(2).map(Number);
const server = createServer((client) => {
  const service = connect(port, '127.0.0.1');
  for (const socket of [client, service]) socket.setNoDelay(true).on('error', () => socket.destroy());
  client.on('data', (piece) => setTimeout(() => service.write(piece), milliseconds));
  client.on('close', () => service.destroy());
  service.on('close', () => client.destroy());
  service.pipe(client);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`Serving http://127.0.0.1:${server.address().port} \n`));
