// A mail as a mail program reads it: headers, and the parts by their type (RFC 2045, 2047).

export interface Mail {
  /** By name in lower case; encoded words are decoded. */
  readonly headers: ReadonlyMap<string, string>;
  /** The first part of type text/plain and of type text/html; '' for none. */
  readonly text: string;
  readonly html: string;
  /** Types of all parts that hold something, in their order. */
  readonly types: readonly string[];
  /** Parts that are files, in their order. */
  readonly files: readonly MailFile[];
}

interface MailFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly type: string;
  readonly content: Buffer;
}

export function readMail(source: string): Mail {
  const { headers, body } = split(source);
  const parts = partsOf(headers, body);
  const textOf = (type: string): string => parts.find((part) => part.type === type)?.content.toString('utf8') ?? '';
  const read = new Map([...headers].map(([name, value]) => [name, decodeWords(value)]));
  const files = parts.flatMap((part) => {
    const name = fileNameOf(part);
    return name === undefined ? [] : [{ name, type: part.type, content: part.content }];
  });
  const types = parts.map(({ type }) => type);
  return { headers: read, text: textOf('text/plain'), html: textOf('text/html'), types, files };
}

function fileNameOf({ headers }: Part): string | undefined {
  return /^attachment;.*filename="?([^";]+)"?/i.exec(headers.get('content-disposition') ?? '')?.[1];
}

function split(source: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = source.indexOf('\r\n\r\n');
  const head = end < 0 ? source : source.slice(0, end);
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = unfolded.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: end < 0 ? '' : source.slice(end + 4) };
}

function partsOf(headers: ReadonlyMap<string, string>, body: string): Part[] {
  const type = (headers.get('content-type') ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? '';
  const boundary = /boundary="?([^";]+)"?/i.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return [{ headers, type, content: decode(headers, body) }];
  const inner = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return inner.flatMap((part) => {
    const { headers: partHeaders, body: partBody } = split(part.replace(/^\r\n/, ''));
    return partsOf(partHeaders, partBody);
  });
}

function decode(headers: ReadonlyMap<string, string>, body: string): Buffer {
  switch (headers.get('content-transfer-encoding')?.toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return decodeQuoted(body.replace(/=\r\n/g, ''));
    default:
      return Buffer.from(body, 'utf8');
  }
}

function decodeQuoted(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function decodeWords(text: string): string {
  const joined = text.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString('utf8')
      : decodeQuoted(word.replaceAll('_', ' ')).toString('utf8'),
  );
}
