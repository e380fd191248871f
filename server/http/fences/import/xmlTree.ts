// XML from outside as a tree, read in parts so that other work gets its turn: general parsers hold the thread for seconds over a file
// of the accepted size. Nothing in it is ever fetched or expanded: a file with a document type is refused, and a reference can only
// stand for the characters that XML itself names.
import type { YieldIfDue } from '../../devices/import/yielder.ts';

export interface XmlNode {
  /** Name without its prefix. */
  readonly name: string;
  /** '' for none. */
  readonly prefix: string;
  /** The attributes as they are written in the tag. */
  readonly attributes: string;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

interface OpenNode extends XmlNode {
  readonly fullName: string;
  readonly children: XmlNode[];
  text: string;
}

/** Maximum nesting, such as folders in folders; files of other programs need no more. */
const MAX_DEPTH = 64;
const NAME = /^[\p{L}_][\p{L}\p{N}_.:-]*/u;

/** The document as a node without a name. Undefined for text that isn't XML, or is more than data. */
export async function readXml(text: string, yieldIfDue: YieldIfDue): Promise<XmlNode | undefined> {
  const reader = new XmlReader(text);
  while (reader.step()) {
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return reader.document;
}

class XmlReader {
  readonly #text: string;
  readonly #open: OpenNode[] = [openNode('', '')];
  #at = 0;
  #isBroken = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The document, once there is nothing more to read. */
  get document(): XmlNode | undefined {
    const [document, ...unclosed] = this.#open;
    return this.#isBroken || unclosed.length > 0 || document?.children.length !== 1 ? undefined : document;
  }

  /** Reads up to the end of the next tag. False at the end, or where it can't continue. */
  step(): boolean {
    const text = this.#text;
    const tag = text.indexOf('<', this.#at);
    this.#addText(decoded(text.slice(this.#at, tag < 0 ? text.length : tag)));
    if (tag < 0) return false;
    this.#at = tag;
    if (text.startsWith('<!--', tag)) return this.#skip('-->', 4) !== undefined;
    if (text.startsWith('<?', tag)) return this.#skip('?>', 2) !== undefined;
    if (text.startsWith('<![CDATA[', tag)) {
      const data = this.#skip(']]>', 9);
      this.#addText(data ?? '');
      return data !== undefined;
    }
    if (text.startsWith('<!', tag)) return this.#fail();
    if (text.startsWith('</', tag)) return this.#close(this.#skip('>', 2));
    return this.#begin();
  }

  /** The text up to `end`; undefined where there is no end. */
  #skip(end: string, headLength: number): string | undefined {
    const from = this.#at + headLength;
    const to = this.#text.indexOf(end, from);
    if (to < 0) {
      this.#fail();
      return undefined;
    }
    this.#at = to + end.length;
    return this.#text.slice(from, to);
  }

  #begin(): boolean {
    const end = this.#tagEnd();
    if (end === undefined) return this.#fail();
    const tag = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const isWhole = tag.endsWith('/');
    const [fullName] = NAME.exec(tag) ?? [];
    if (fullName === undefined || this.#open.length > MAX_DEPTH) return this.#fail();
    const node = openNode(fullName, tag.slice(fullName.length, isWhole ? -1 : undefined));
    this.#open.at(-1)?.children.push(node);
    if (!isWhole) this.#open.push(node);
    return true;
  }

  /** Attribute values may contain the character that ends a tag. */
  #tagEnd(): number | undefined {
    let quote = '';
    for (let at = this.#at; at < this.#text.length; at++) {
      const sign = this.#text.charAt(at);
      if (quote !== '') quote = sign === quote ? '' : quote;
      else if (sign === '"' || sign === "'") quote = sign;
      else if (sign === '>') return at;
    }
    return undefined;
  }

  #close(name: string | undefined): boolean {
    const node = this.#open.length > 1 ? this.#open.pop() : undefined;
    return node !== undefined && name?.trimEnd() === node.fullName ? true : this.#fail();
  }

  #addText(text: string): void {
    const node = this.#open.at(-1);
    if (node === undefined || text === '') return;
    // Outside the document's element only blanks are allowed.
    if (this.#open.length === 1 && text.trim() !== '') this.#fail();
    node.text += text;
  }

  #fail(): false {
    this.#isBroken = true;
    this.#at = this.#text.length;
    return false;
  }
}

function openNode(fullName: string, attributes: string): OpenNode {
  const colon = fullName.indexOf(':');
  const [prefix, name] = [fullName.slice(0, Math.max(colon, 0)), fullName.slice(colon + 1)];
  return { fullName, prefix, name, attributes, children: [], text: '' };
}

/** The child elements of that name. */
export function childrenOf(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return nearestFirst(node, childrenOf(node, name))[0];
}

/** The text of the child element of that name, in upper or lower case; '' for none. */
export function textBelow(node: XmlNode, name: string): string {
  const named = node.children.filter((child) => child.name.toLowerCase() === name);
  return nearestFirst(node, named).find(({ text }) => text.trim() !== '')?.text ?? '';
}

/** An element with a prefix belongs to another vocabulary, such as `atom:name`, unless the one around it has the same. */
function nearestFirst(parent: XmlNode, nodes: readonly XmlNode[]): readonly XmlNode[] {
  const distance = ({ prefix }: XmlNode) => (prefix === parent.prefix ? 0 : prefix === '' ? 1 : 2);
  return nodes.length < 2 ? nodes : nodes.toSorted((one, other) => distance(one) - distance(other));
}

/** '' for none. */
export function textOf(node: XmlNode | undefined): string {
  return node?.text ?? '';
}

/** '' for none. */
export function attributeOf({ attributes }: XmlNode, name: string): string {
  for (const [found, value] of pairsIn(attributes)) if (found === name) return decoded(value);
  return '';
}

/** Names and values as written, up to the first text that isn't an attribute. Each step continues where the previous one ended. */
function* pairsIn(text: string): Generator<readonly [string, string]> {
  for (let at = behindBlanks(text, 0); at < text.length; ) {
    const equals = text.indexOf('=', at);
    if (equals < 0) return;
    const name = text.slice(at, equals).trim();
    const from = behindBlanks(text, equals + 1);
    const quote = text.charAt(from);
    const to = quote === '"' || quote === "'" ? text.indexOf(quote, from + 1) : -1;
    if (to < 0) return;
    yield [name, text.slice(from + 1, to)];
    at = behindBlanks(text, to + 1);
  }
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > MAX_CODE_POINT ? whole : String.fromCodePoint(code);
  });
}
