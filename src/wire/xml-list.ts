// Parses a list of records as it arrives. Most records are plain: a pattern reads them in a fraction of the parser's time.
import { plainElement } from './xml-plain.ts';
import { type Element, xmlParser } from './xml-tree.ts';

interface XmlListParser {
  /** Parses the next piece; answers the records that it completes. Throws `invalid` at the first fault. */
  push(text: string): readonly Element[];
  /** The root of the complete document, without the records, and the last of these. Throws `invalid` if something is missing. */
  end(): { readonly root: Element; readonly records: readonly Element[] };
}

/** Is a child of the root, or of its child `list`, a record of the list? */
export type IsRecord = (child: Element, root: Element, list?: Element) => boolean;

/** The first record shows how the others are named, and where they stand. With a prefix the parser reads them all. */
interface Place {
  readonly depth: number;
  readonly closing: string;
}

/** Characters of a record that is given to the parser as it comes: its end is not looked for again and again. */
const LONG = 1 << 18;

/** A comment, CDATA or a processing instruction; `<?xml` at the start is none. */
const MARK = /<!|<\?(?!xml )/;

/** The parser reads all that is not plain. Behind a comment, which may hold what looks like a record, it reads alone. */
export function xmlListParser(isRecord: IsRecord): XmlListParser {
  let ready: Element[] = [];
  let place: Place | undefined;
  let isMarked = false;
  /** What has come and is not parsed: the beginning of a record. */
  let rest = '';
  const parser = xmlParser({
    take(child, root, list) {
      if (!isRecord(child, root, list)) return false;
      ready.push(child);
      if (child.prefix === '') place ??= { depth: list ? 2 : 1, closing: `</${child.name}>` };
      return true;
    },
  });
  /** The last sign that the parser has read: a mark may be cut. */
  let last = '';
  const parse = (text: string): void => {
    isMarked ||= MARK.test(last + text);
    last = text.slice(-1) || last;
    parser.push(text);
  };
  const parseRecords = ({ depth, closing }: Place): void => {
    let from = 0;
    for (let end = rest.indexOf(closing); end >= 0 && !isMarked; end = rest.indexOf(closing, from)) {
      const next = end + closing.length;
      const record = parser.open.length === depth ? plainElement(rest, from, next, parser.spaceOf) : undefined;
      if (record) ready.push(record);
      else parse(rest.slice(from, next));
      from = next;
    }
    rest = rest.slice(from);
  };
  return {
    push(text) {
      rest += text;
      if (place && !isMarked) parseRecords(place);
      if (!place || isMarked || rest.length > LONG) {
        parse(rest);
        rest = '';
      }
      const records = ready;
      ready = [];
      return records;
    },
    end() {
      parser.push(rest);
      return { root: parser.end(), records: ready };
    },
  };
}
