// The floor of P3 and P4: what it costs a program to read rows and write them as indented JSON. Called with the driver, a database
// and a statement. It is no module of ES, whose loader Node would have to start.
const { writeSync } = require('node:fs');

const [driver, file, sql] = process.argv.slice(2);
const database = new (require(driver))(file, { readonly: true });
const text = JSON.stringify(database.prepare(sql).all(), undefined, 2);
database.close();
for (let rest = Buffer.from(`${text}\n`); rest.length > 0; rest = rest.subarray(write(rest)));

/** How many bytes the reader took; a full pipe takes none. */
function write(bytes) {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    return 0;
  }
}
