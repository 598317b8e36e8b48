// The pages outside the service, in any case and with a slash at the end or without: health checks, the OpenAPI document, and Swagger UI at /docs.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.ts';
import { openApi } from './openapi.ts';
import { allowing, answerOptions, wrongMethod } from './routing.ts';

/** `isReady` says whether the back end answers; `namespace` is that of XML. A request throws `not_found` or `method`. */
export function pagesOf(isReady: () => Promise<boolean>, namespace: string) {
  let document: string | undefined;
  const pages: Readonly<Record<string, (reply: FastifyReply) => Promise<FastifyReply>>> = {
    '/': async (reply) => reply.redirect('/docs'),
    '/healthz': async (reply) => sendText(reply, 200, 'ok\n'),
    '/readyz': async (reply) =>
      (await isReady()) ? sendText(reply, 200, 'ready\n') : sendText(reply, 503, 'not ready\n'),
    '/openapi.json': async (reply) => {
      document ??= JSON.stringify(openApi(namespace));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method } = request;
    if (method === 'OPTIONS' && request.originalUrl === '*') return answerOptions(reply, EVERY_METHOD);
    const path = pathOf(request.originalUrl);
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const file = page ? undefined : await docsFile(path);
    if (!page && !file)
      throw new ServiceError('not_found', 'there is nothing at this address; the service is below /v4');
    if (method === 'OPTIONS') return answerOptions(reply, ALLOW);
    if (method !== 'GET' && method !== 'HEAD') {
      reply.header('allow', ALLOW);
      throw wrongMethod(method, ALLOW);
    }
    if (page) return page(reply);
    return reply.headers(file?.headers ?? {}).send(file?.content);
  };
}

const ALLOW = allowing(['GET']);
/** The methods that any of the addresses answers. */
const EVERY_METHOD = allowing(['DELETE', 'GET', 'POST', 'PUT']);

const pathOf = (target: string): string =>
  target
    .replace(/\?.*$/s, '')
    .replace(/(?<=.)\/$/, '')
    .toLowerCase();

const sendText = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** `data:` is for the images in the style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>v4 interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** No operation has links. On a narrow page the words about a tag stand below its name. */
const STYLE = `.swagger-ui .response-col_links {
  display: none;
}
@media (max-width: 768px) {
  .swagger-ui .opblock-tag {
    flex-wrap: wrap;
  }
  .swagger-ui .opblock-tag small {
    flex-basis: 100%;
    order: 1;
    padding: 0;
  }
  .swagger-ui .opblock-tag a {
    flex: 1;
  }
}
html.dark-mode {
  color-scheme: dark;
}
`;

const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const LIBRARY: Readonly<Record<string, string>> = {
  'swagger-ui.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
};

/** The file at this path; undefined for another path. */
async function docsFile(path: string) {
  if (path === '/docs') return file('text/html; charset=utf-8', PAGE);
  if (path === '/docs/page.css') return file(CSS, STYLE);
  if (path === '/docs/start.js') return file(JAVASCRIPT, START);
  const [, name = ''] = /^\/docs\/([^/]+)$/.exec(path) ?? [];
  const type = Object.hasOwn(LIBRARY, name) ? LIBRARY[name] : undefined;
  return type === undefined ? undefined : file(type, await readFile(join(folder(), name)));
}

const file = (type: string, content: string | Buffer) => ({
  headers: { 'content-type': type, 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' },
  content,
});

/** The folder beside the bundle, or the installed package when run from the sources. */
function folder(): string {
  const built = join(import.meta.dirname, 'docs');
  if (existsSync(built)) return built;
  return dirname(createRequire(import.meta.filename).resolve('swagger-ui-dist/package.json'));
}
