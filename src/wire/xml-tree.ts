// Parses XML strictly into a tree of elements: UTF-8, XML 1.0, no DOCTYPE, namespaces resolved.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { malformed, meter } from './gate.ts';

export const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
const XML_OWN = 'http://www.w3.org/XML/1998/namespace';
const XML_NAMES = 'http://www.w3.org/2000/xmlns/';

export interface Element {
  readonly name: string;
  /** The prefix of the name as it is written; empty for none. */
  readonly prefix: string;
  /** The namespace; empty for none. */
  readonly space: string;
  /** It is null (`i:nil`). */
  readonly nil: boolean;
  /** The others: neither declarations nor of XML Schema. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  /** Its own text, with references decoded. */
  text: string;
}

interface XmlOptions {
  /** The most elements and attributes; unlimited by default. */
  readonly nodes?: number;
  /** Takes a complete child of the root, or of its child `list`: true keeps it out of the tree. */
  readonly take?: (child: Element, root: Element, list?: Element) => boolean;
}

export function xmlParser({ nodes = Number.POSITIVE_INFINITY, take }: XmlOptions = {}) {
  const parser = new SaxesParser({ xmlns: true });
  const counter = meter(nodes);
  const open: Element[] = [];
  /** The namespaces that each open element declares. */
  const declared: SaxesTagNS['ns'][] = [];
  let root: Element | undefined;
  const add = (text: string): void => {
    const element = open.at(-1);
    // Blanks between the records of a list are dropped.
    if (element && (open.length > 1 || /[^ \t\r\n]/.test(text))) element.text += text;
  };
  parser.on('error', (error) => {
    throw notWellFormed(error.message);
  });
  parser.on('xmldecl', checkDeclaration);
  parser.on('doctype', () => {
    throw malformed('the XML has a DOCTYPE, which is not read');
  });
  // Counts each attribute as it is parsed: one tag may have very many.
  parser.on('attribute', () => counter.count());
  parser.on('opentag', (tag) => {
    const element = elementOf(tag);
    counter.enter();
    counter.count();
    root ??= element;
    open.push(element);
    declared.push(tag.ns);
  });
  parser.on('closetag', () => {
    counter.leave();
    const element = open.pop();
    declared.pop();
    const parent = open.at(-1);
    if (!element || !parent) return;
    const [first = parent, list] = open;
    if (!(open.length <= 2 && take?.(element, first, list))) parent.children.push(element);
  });
  parser.on('text', add);
  parser.on('cdata', add);
  return {
    /** Parses the next piece of text. Throws `invalid` at the first fault. */
    push: (text: string): void => void parser.write(text),
    open: open as readonly Element[],
    /** The namespace that the open elements give a prefix; that of names without one for the empty prefix. */
    spaceOf: (prefix: string): string | undefined => declared.findLast((one) => one[prefix] !== undefined)?.[prefix],
    /** The root of the complete document. Throws `invalid` if something is missing. */
    end(): Element {
      parser.close();
      if (!root) throw notWellFormed('it has no root');
      return root;
    },
  };
}

/** The tree of a whole document. */
export function parseXml(text: string, options?: XmlOptions): Element {
  const parser = xmlParser(options);
  parser.push(text);
  return parser.end();
}

/** The parser says "line:column: fault". */
function notWellFormed(message: string): Error {
  const [, line, column, fault] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
  const text = (fault ?? message).slice(0, 200).replace(/\.$/, '');
  return malformed(`the XML is not well-formed${line ? ` at line ${line}, column ${column}` : ''}: ${text}`);
}

function checkDeclaration({ version, encoding }: { version?: string; encoding?: string }): void {
  if (version !== undefined && version !== '1.0') throw malformed(`the XML is of version ${version}; 1.0 is read`);
  if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding))
    throw malformed(`the XML says that its encoding is ${encoding}; UTF-8 is read`);
}

function elementOf(tag: SaxesTagNS): Element {
  let nil = false;
  const attributes: Record<string, string> = {};
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (!attribute || attribute.uri === XML_NAMES || attribute.uri === XML_OWN) continue;
    if (attribute.uri !== INSTANCE) attributes[name] = attribute.value;
    else if (attribute.local === 'nil') nil = readNil(attribute.value);
  }
  return { name: tag.local, prefix: tag.prefix, space: tag.uri, nil, attributes, children: [], text: '' };
}

function readNil(value: string): boolean {
  const word = value.trim();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  throw malformed(`the attribute nil is "${word.slice(0, 40)}", not true or false`);
}
