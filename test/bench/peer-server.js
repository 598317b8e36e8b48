// json-server on a file of records, from the folder it was installed in. Called with that folder.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.argv[2] ?? '';
const jsonServer = createRequire(join(folder, 'package.json'))('json-server');
const file = join(folder, 'records.json');
writeFileSync(file, JSON.stringify({ accountabilities: [] }));
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router(file));
const listener = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Serving http://127.0.0.1:${listener.address().port} \n`);
});
