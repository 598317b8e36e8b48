// Takes an address and a port, or says in words why that cannot be.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../contract/errors.ts';

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already',
  EACCES: 'you may not listen there; ports below 1024 are often reserved',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine knows no such name',
};

/** Answers the port, which is a free one where 0 was asked for. Throws `usage`. */
export async function listening(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ServiceError('usage', `${host} port ${port} cannot be listened on: ${WHY[code] ?? code}`, {
      hint: 'Name another one with --host and --port; --port 0 takes a free port.',
      cause: error,
    });
  }
  return (app.server.address() as AddressInfo).port;
}
