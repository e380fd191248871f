import { bytesOfDigits, digitsOf } from './bcd.ts';
import type { Edition } from './codes.ts';
import { Writer } from './fields.ts';

export interface TerminalNumber {
  /** Hexadecimal digits as on the wire: 12 in the 2013 header, 20 in that of 2019. */
  readonly raw: string;
  /** Digits without leading zeros; lower-case raw digits where they are not decimal. Terminals are known by this. */
  readonly canonical: string;
}

export interface PartNumber {
  readonly total: number;
  /** Number of the package, from 1. */
  readonly number: number;
}

export interface Header {
  readonly messageId: number;
  readonly edition: Edition;
  /** The 2019 header's byte, 1 for the first revision; 0 in a 2013 header, which has none. */
  readonly protocolVersion: number;
  /** Bits 10 to 12 of the properties; 0: the body is plain. */
  readonly encryption: number;
  readonly terminal: TerminalNumber;
  readonly serial: number;
  /** Present in the packages of a message that was cut. */
  readonly part?: PartNumber;
  /** Length of this package's body, as its header states it. */
  readonly bodyLength: number;
}

export type HeaderResult =
  | { readonly ok: true; readonly header: Header; readonly body: Uint8Array }
  /** `header` is there when only the length is wrong, so that the sender can be identified. */
  | { readonly ok: false; readonly reason: string; readonly header?: Header };

export interface HeaderOptions {
  /** Trusts the frame's own length where the length field differs: some firmware never fills it in. */
  readonly trustFrameLength?: boolean;
}

/** The largest number that ten bits can state. */
export const MAX_BODY_BYTES = 1023;

const LENGTH_MASK = 0x3ff;
const PART_BIT = 0x2000;
const VERSION_BIT = 0x4000;
const NUMBER_DIGITS = { '2013': 12, '2019': 20 } as const satisfies Record<Edition, number>;

/** Splits an unescaped frame into its header and its body, a view. */
export function decodeHeader(bytes: Uint8Array, options: HeaderOptions = {}): HeaderResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) return { ok: false, reason: `header cut at ${bytes.length} bytes` };
  const properties = view.getUint16(2);
  const edition: Edition = (properties & VERSION_BIT) === 0 ? '2013' : '2019';
  const numberAt = edition === '2019' ? 5 : 4;
  const serialAt = numberAt + NUMBER_DIGITS[edition] / 2;
  const hasParts = (properties & PART_BIT) !== 0;
  const bodyAt = serialAt + (hasParts ? 6 : 2);
  if (bytes.length < bodyAt) return { ok: false, reason: `header cut at ${bytes.length} of ${bodyAt} bytes` };

  const body = bytes.subarray(bodyAt);
  const header: Header = {
    messageId: view.getUint16(0),
    edition,
    protocolVersion: edition === '2019' ? view.getUint8(4) : 0,
    encryption: (properties >> 10) & 0x7,
    terminal: terminalOfRaw(digitsOf(bytes.subarray(numberAt, serialAt))),
    serial: view.getUint16(serialAt),
    ...(hasParts && { part: { total: view.getUint16(serialAt + 2), number: view.getUint16(serialAt + 4) } }),
    bodyLength: properties & LENGTH_MASK,
  };
  if (header.bodyLength !== body.length && options.trustFrameLength !== true) {
    return { ok: false, reason: `length field ${header.bodyLength}, real length ${body.length}`, header };
  }
  return { ok: true, header, body };
}

/** Header fields that a sender decides. A decoded header fits, so an answer takes the form of the question. */
export type HeaderFields = Pick<Header, 'edition' | 'protocolVersion' | 'terminal' | 'serial'>;

/** The header's statements about its body. */
export interface BodyForm {
  readonly messageId: number;
  readonly bodyLength: number;
  readonly encryption?: number;
  readonly part?: PartNumber;
}

/** The header's bytes. Throws a RangeError for numbers that do not fit: they are the caller's own. */
export function encodeHeader(fields: HeaderFields, form: BodyForm): Uint8Array {
  const { edition, terminal } = fields;
  const { part, bodyLength } = form;
  if (bodyLength > MAX_BODY_BYTES) throw new RangeError(`body of ${bodyLength} bytes needs sub-packages`);
  if (terminal.raw.length !== NUMBER_DIGITS[edition]) throw new RangeError(`terminal ${terminal.raw} in ${edition}`);
  const is2019 = edition === '2019';
  const encryption = ((form.encryption ?? 0) & 0x7) << 10;
  const to = new Writer(edition);
  to.uint(2, form.messageId);
  to.uint(2, bodyLength | encryption | (part === undefined ? 0 : PART_BIT) | (is2019 ? VERSION_BIT : 0));
  if (is2019) to.uint(1, fields.protocolVersion);
  to.bytes(bytesOfDigits(terminal.raw));
  to.uint(2, fields.serial);
  if (part !== undefined) {
    to.uint(2, part.total);
    to.uint(2, part.number);
  }
  return to.finish();
}

/** A terminal number for a header, from its digits; padded with zeros on the left to the width of the edition's field. */
export function terminalNumber(digits: string, edition: Edition): TerminalNumber {
  return terminalOfRaw(digits.toLowerCase().padStart(NUMBER_DIGITS[edition], '0'));
}

/**
 * One name for a terminal, whatever the field's width was. Never parsed as a number: the digits exceed 53 bits,
 * and some terminals put hexadecimal digits there.
 */
export function canonicalTerminal(raw: string): string {
  if (!/^\d+$/.test(raw)) return raw.toLowerCase();
  return raw.replace(/^0+(?=\d)/, '');
}

function terminalOfRaw(raw: string): TerminalNumber {
  return { raw, canonical: canonicalTerminal(raw) };
}

/** Whether the digits of a field, 12 or 20, name the terminal of that canonical number. */
export function isTerminal(raw: string, canonical: string): boolean {
  if (canonicalTerminal(raw) === canonical) return true;
  // A 6-byte field holds the last 12 digits of a longer number; a 10-byte one may hold hexadecimal digits after zeros.
  const known = canonical.padStart(12, '0');
  return raw.length === 12 ? known.slice(-12) === raw : raw === known.padStart(20, '0');
}
