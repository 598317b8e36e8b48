// The page at /docs: Swagger UI, from files beside the program, with nothing loaded from anywhere else.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface DocsFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Buffer;
}

/** Pictures in the style sheet are written into it, which is what `data:` is for. */
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
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const LIBRARY: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': JAVASCRIPT,
};

/** The file at this path; undefined for a path that is none of the page's. */
export async function docsFile(path: string): Promise<DocsFile | undefined> {
  if (path === '/docs' || path === '/docs/') return file('text/html; charset=utf-8', PAGE);
  if (path === '/docs/start.js') return file(JAVASCRIPT, START);
  const [, name = ''] = /^\/docs\/([^/]+)$/.exec(path) ?? [];
  const type = Object.hasOwn(LIBRARY, name) ? LIBRARY[name] : undefined;
  return type === undefined ? undefined : file(type, await readFile(new URL(name, folder())));
}

const file = (type: string, content: string | Buffer): DocsFile => ({
  headers: { 'content-type': type, 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' },
  content,
});

/** Beside the bundle; among the sources where the package is installed. */
function folder(): URL {
  const built = new URL('./docs/', import.meta.url);
  if (existsSync(built)) return built;
  return new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')));
}
