// The message of an order as the database keeps it: JSON, with bytes in hexadecimal digits.
import { type Edition, MessageId } from '../jt808/codec/codes.ts';
import { encodeBody, type MessageBody } from '../jt808/codec/message.ts';
import { answerText } from './driverQuestion.ts';

/** More than this would close the terminal's connection as one that takes nothing (terminals.unsent-bytes.connection). */
const MAX_BYTES = 128 * 1024;
const EDITIONS: readonly Edition[] = ['2013', '2019'];
/** Names the one field of an object that stands for bytes. No message has a field of that name. */
const BYTES = '$bytes';

/** How lists and the audit call it. */
export function messageNameOf(body: MessageBody): string {
  return body.kind === 'unknown' ? `0x${body.id.toString(16).padStart(4, '0')}` : body.kind;
}

/** Throws a RangeError for a message that no terminal can be sent: it is the caller's own. */
export function writeOrderBody(body: MessageBody): string {
  for (const edition of EDITIONS) {
    const { length } = encodeBody(body, edition);
    if (length > MAX_BYTES) throw new RangeError(`an order of ${length} bytes`);
  }
  const text = JSON.stringify(body, (_name, value: unknown) =>
    value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString('hex') } : value,
  );
  if (readOrderBody(text) === undefined) throw new RangeError(`no order: ${body.kind}`);
  return text;
}

/** Total: undefined for what is no message that can be sent, whoever wrote it. */
export function readOrderBody(text: string): MessageBody | undefined {
  try {
    const value: unknown = JSON.parse(text, (_name, inner: unknown) => bytesOf(inner) ?? inner);
    if (!isNamed(value)) return undefined;
    // What can be encoded is a message of its kind, whatever the text was made of.
    const body = value as MessageBody;
    for (const edition of EDITIONS) encodeBody(body, edition);
    return body;
  } catch {
    return undefined;
  }
}

/** What a driver is shown, and the driver's answer to a question; both '' for other messages. */
export function driverWordsOf(stored: string, answerId: number | undefined): { text: string; answer: string } {
  const body = readOrderBody(stored);
  if (body?.kind === 'text') return { text: body.text, answer: '' };
  if (body?.kind !== 'question') return { text: '', answer: '' };
  return { text: body.question, answer: answerText(body, answerId) ?? '' };
}

function isNamed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind } = value;
  if (kind === 'unknown')
    return 'id' in value && isId(value.id) && 'bytes' in value && value.bytes instanceof Uint8Array;
  return typeof kind === 'string' && Object.hasOwn(MessageId, kind);
}

const isId = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff;

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !(BYTES in value)) return undefined;
  const digits = value[BYTES];
  return typeof digits === 'string' ? Uint8Array.from(Buffer.from(digits, 'hex')) : undefined;
}
