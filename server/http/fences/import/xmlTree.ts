// XML from outside as a tree. Nothing in it is ever fetched or expanded: a file with a document type is refused, and the characters
// that XML itself names are all that a reference can stand for.
import { XMLParser } from 'fast-xml-parser';

export type XmlNode = Readonly<Record<string, unknown>>;

/** Folders in folders; what a file of another program needs at most. */
const MAX_DEPTH = 64;
const CDATA = '#cdata';
const TEXT = '#text';

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: TEXT,
  cdataPropName: CDATA,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  htmlEntities: false,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
});

/** Undefined for what is no XML, or more than data. */
export function readXml(text: string): XmlNode | undefined {
  if (hasDocumentType(text)) return undefined;
  try {
    // Checked first: of a file that was cut off, the parser alone would give what it has.
    const tree: unknown = PARSER.parse(text, true);
    return isNode(tree) ? tree : undefined;
  } catch {
    // The parser throws for whatever it can't read.
    return undefined;
  }
}

/** It stands before the first element, and nowhere else. */
function hasDocumentType(text: string): boolean {
  const root = /<[a-z_]/i.exec(text)?.index ?? text.length;
  return /<!(?:doctype|entity)/i.test(text.slice(0, root));
}

/** The elements of that name right below. */
export function childrenOf(node: XmlNode, name: string): XmlNode[] {
  const value = Object.hasOwn(node, name) ? node[name] : undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  // An element without attributes and elements is its text alone.
  return values.flatMap((each) => (isNode(each) ? [each] : typeof each === 'string' ? [{ [TEXT]: each }] : []));
}

export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return childrenOf(node, name)[0];
}

/** '' for none. */
export function textOf(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return decoded(stringOf(node[TEXT])) + [node[CDATA]].flat().map(stringOf).join('');
}

export function attributeOf(node: XmlNode, name: string): string {
  return decoded(stringOf(node[`@${name}`]));
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

function decoded(text: string): string {
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > MAX_CODE_POINT ? whole : String.fromCodePoint(code);
  });
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
