// What is answered besides the service: signs of life, the description of the interface, and its page.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.ts';
import { docsFile } from './docs.ts';
import { openApi } from './openapi.ts';

export interface Pages {
  /** Throws `not_found`, `method`. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** `isReady` says whether the back end answers. */
export function pagesOf(isReady: () => Promise<boolean>): Pages {
  let document: string | undefined;
  const pages: Readonly<Record<string, (reply: FastifyReply) => Promise<FastifyReply>>> = {
    '/healthz': async (reply) => reply.type('text/plain; charset=utf-8').send('ok\n'),
    '/readyz': async (reply) => {
      const ready = await isReady();
      return reply
        .code(ready ? 200 : 503)
        .type('text/plain; charset=utf-8')
        .send(ready ? 'ready\n' : 'not ready\n');
    },
    '/openapi.json': async (reply) => {
      document ??= JSON.stringify(openApi());
      return reply.type('application/json; charset=utf-8').send(document);
    },
  };
  return {
    async answer(request, reply) {
      const path = request.originalUrl.replace(/\?.*$/s, '');
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
      const file = page ? undefined : await docsFile(path);
      if (!page && !file)
        throw new ServiceError('not_found', 'there is nothing at this address; the service is below /v4');
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        reply.header('allow', 'GET, HEAD');
        throw new ServiceError('method', `this address does not answer ${request.method}; it answers GET, HEAD`);
      }
      if (page) return page(reply);
      return reply.headers(file?.headers ?? {}).send(file?.content);
    },
  };
}
