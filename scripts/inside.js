// Tells which packages are inside the built program: the texts of their licences, and a bill of materials (CycloneDX).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who holds the rights of a package without a text of its licence, where its author is not the only one. */
const HOLDERS = {
  saxes:
    'Louis-Dominique Dubeau and contributors; of sax, from which it was forked: Isaac Z. Schlueter and contributors',
};

/** A package may have its own version of another one below it: a file is of the innermost package. */
const FOLDER = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/;

/** The packages of these files, by name and version. Throws where one has no text of its licence, and none can be made. */
export function packagesOf(root, files) {
  const folders = new Set(files.flatMap((file) => FOLDER.exec(file)?.[0] ?? []));
  const locked = read(root, 'package-lock.json').packages;
  const packages = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license, author, repository } = read(root, folder, 'package.json');
    const { integrity } = locked[folder];
    const holder = HOLDERS[name] ?? author?.name ?? author;
    const text = licenceText(join(root, folder));
    packages.set(`${name} ${version}`, {
      name,
      version,
      license,
      holder,
      text,
      source: sourceOf(repository),
      integrity,
    });
  }
  const all = [...packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
  const lenders = [{ ...read(root, 'package.json'), text: licenceText(root) }, ...all];
  return all.map((one) => ({ ...one, text: one.text ?? lentText(one, lenders) }));
}

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** `owner/name` alone is of GitHub. */
function sourceOf(repository) {
  const [, host = 'github.com', path] = /(?:([\w.-]+\.\w+)[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(
    repository.url ?? repository,
  );
  return `https://${host}/${path}`;
}

/** The files of the licence, else what the README says under that heading. */
function licenceText(folder) {
  const names = readdirSync(folder).sort();
  const text = (name) => readFileSync(join(folder, name), 'utf8').trim();
  const files = names.filter((name) => /^(?:licen[cs]e|copying|notice)\b(?!.*\.js$)/i.test(name));
  if (files.length > 0) return files.map(text).join('\n\n');
  const sections = names.filter((name) => /^readme\b/i.test(name)).flatMap((name) => text(name).split(/^#+ /m));
  const section = sections.find((one) => /^licen[cs]e\n/i.test(one) && one.includes('Permission'));
  return section?.replace(/^.*/, '').trim();
}

const COPYRIGHT = /^Copyright .*$/gm;

/** The text of another one with the same licence, of which one line names the holder. */
function lentText({ name, license, holder }, lenders) {
  const lender = lenders.find((one) => one.license === license && one.text?.match(COPYRIGHT)?.length === 1);
  if (!lender || !holder) throw new Error(`${name} (${license}) comes without the text of its licence`);
  return lender.text.replace(COPYRIGHT, `Copyright (c) ${holder}`);
}

/** Names each package, with its licence and the place of its source. */
export const notices = (packages) =>
  [
    'pm holds these packages, bundled and minified. The source of each is at the address below its name.',
    ...packages.map(
      ({ name, version, license, source, text }) => `${name} ${version} (${license})\n${source}\n\n${text}`,
    ),
  ].join('\n\n\n');

/** In CycloneDX, without the time: the same sources make the same bill. */
export function billOfMaterials({ name, version, license }, packages) {
  const program = { type: 'application', ...identity({ name, version, license }) };
  const components = packages.map(component);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: program },
    components,
    dependencies: [{ ref: program['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

/** The hash is that of the package in the registry. */
const component = ({ source, integrity, ...one }) => ({
  type: 'library',
  ...identity(one),
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  externalReferences: [{ type: 'vcs', url: source }],
});

function identity({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const choice = /^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license };
  return { 'bom-ref': purl, name, version, licenses: [choice], purl };
}
