// Frames to messages and back. Pure and total: what a terminal sends is a message or a reason, never an exception.
import { type Edition, MessageId, type MessageKind } from './codes.ts';
import { type Field, Reader, type Value, Writer } from './fields.ts';
import { encodeFrame } from './frame.ts';
import {
  type BodyForm,
  decodeHeader,
  encodeHeader,
  type Header,
  type HeaderFields,
  type HeaderOptions,
  MAX_BODY_BYTES,
  type PartNumber,
} from './header.ts';
import { areaMessages } from './messages/areas.ts';
import { areasReplyMessages } from './messages/areasReply.ts';
import { attachmentMessages } from './messages/attachments.ts';
import { authenticationMessages } from './messages/authentication.ts';
import { dispatchMessages } from './messages/dispatch.ts';
import { driverMessages } from './messages/driver.ts';
import { generalMessages } from './messages/general.ts';
import { liveMessages } from './messages/live.ts';
import { mediaMessages } from './messages/media.ts';
import { parameterMessages } from './messages/parameters.ts';
import { positionMessages } from './messages/position.ts';
import { ptzMessages } from './messages/ptz.ts';
import { queryMessages } from './messages/queries.ts';
import { recordingMessages } from './messages/recordings.ts';
import { registrationMessages } from './messages/registration.ts';
import { routeMessages } from './messages/route.ts';
import { terminalMessages } from './messages/terminal.ts';

/** One layout for each kind of MessageId, which the type checker holds this to. */
const BODIES = {
  ...areaMessages,
  ...areasReplyMessages,
  ...attachmentMessages,
  ...authenticationMessages,
  ...dispatchMessages,
  ...driverMessages,
  ...generalMessages,
  ...liveMessages,
  ...mediaMessages,
  ...parameterMessages,
  ...positionMessages,
  ...ptzMessages,
  ...queryMessages,
  ...recordingMessages,
  ...registrationMessages,
  ...routeMessages,
  ...terminalMessages,
} as const satisfies Record<MessageKind, Field<object>>;

/** A body whose layout is known, told apart by `kind`; the id belongs to the kind. */
type KnownBody = {
  [Kind in keyof typeof BODIES]: { readonly kind: Kind } & Value<(typeof BODIES)[Kind]>;
}[keyof typeof BODIES];

/** An id that this codec has no layout for. */
interface UnknownBody {
  readonly kind: 'unknown';
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** A package of a message that was cut: for the PartAssembler. */
export interface PartBody {
  readonly kind: 'part';
  readonly id: number;
  readonly part: PartNumber;
  readonly bytes: Uint8Array;
}

/** No cipher is agreed on with any terminal: the body stays as it came. */
interface EncryptedBody {
  readonly kind: 'encrypted';
  readonly id: number;
  readonly encryption: number;
  readonly part?: PartNumber;
  readonly bytes: Uint8Array;
}

type RawBody = UnknownBody | PartBody | EncryptedBody;
export type MessageBody = KnownBody | RawBody;
/** The body of one kind: `BodyOf<'position'>`. */
export type BodyOf<Kind extends MessageBody['kind']> = Extract<MessageBody, { readonly kind: Kind }>;

export interface Message {
  readonly header: Header;
  readonly body: MessageBody;
  /** Behind what the layout needs: a vendor's addition, left alone. */
  readonly trailingBytes: number;
}

export type DecodeResult =
  | { readonly ok: true; readonly message: Message }
  /** `header` is there where it could be read: its sender can be named, and a bad body be answered. */
  | {
      readonly ok: false;
      readonly fault: 'header' | 'length' | 'body';
      readonly reason: string;
      readonly header?: Header;
    };

export type BodyResult =
  | { readonly ok: true; readonly body: MessageBody; readonly trailingBytes: number }
  | { readonly ok: false; readonly reason: string };

/** The package total has two bytes. */
export const MAX_PARTS = 0xffff;

const KIND_OF = new Map<number, keyof typeof BODIES>();
for (const kind of Object.keys(BODIES) as (keyof typeof BODIES)[]) KIND_OF.set(MessageId[kind], kind);

/** Decodes an unescaped frame: header and body without check byte, as FrameSplitter gives it. */
export function decodeMessage(bytes: Uint8Array, options: HeaderOptions = {}): DecodeResult {
  const split = decodeHeader(bytes, options);
  if (!split.ok) return { fault: split.header === undefined ? 'header' : 'length', ...split };
  const { header, body } = split;
  const raw = rawBodyOf(header, body);
  if (raw !== undefined) return { ok: true, message: { header, body: raw, trailingBytes: 0 } };
  const decoded = decodeBody(header.messageId, header.edition, body);
  if (!decoded.ok) return { ok: false, fault: 'body', reason: decoded.reason, header };
  return { ok: true, message: { header, body: decoded.body, trailingBytes: decoded.trailingBytes } };
}

function rawBodyOf(header: Header, bytes: Uint8Array): RawBody | undefined {
  const { messageId: id, encryption, part } = header;
  if (encryption !== 0) return { kind: 'encrypted', id, encryption, ...(part && { part }), bytes };
  return part === undefined ? undefined : { kind: 'part', id, part, bytes };
}

/** Decodes a whole body, one that was put together from packages for instance. */
export function decodeBody(messageId: number, edition: Edition, bytes: Uint8Array): BodyResult {
  const kind = KIND_OF.get(messageId);
  if (kind === undefined) return { ok: true, body: { kind: 'unknown', id: messageId, bytes }, trailingBytes: 0 };
  const field: Field<object> = BODIES[kind];
  const from = new Reader(bytes, edition);
  const values = field.read(from);
  if (from.reason !== undefined) return { ok: false, reason: `${kind}: ${from.reason}` };
  // The kind belongs to the layout that made the values; the map of layouts keeps both together.
  return { ok: true, body: { kind, ...values } as KnownBody, trailingBytes: from.remaining };
}

/** The body's bytes. Throws a RangeError for values that do not fit: they are the caller's own. */
export function encodeBody(body: MessageBody, edition: Edition): Uint8Array {
  if (isRaw(body)) return body.bytes;
  const field: Field<object> = BODIES[body.kind];
  const to = new Writer(edition);
  field.write(to, body);
  return to.finish();
}

export function messageIdOf(body: MessageBody): number {
  return isRaw(body) ? body.id : MessageId[body.kind];
}

function isRaw(body: MessageBody): body is RawBody {
  return body.kind === 'unknown' || body.kind === 'part' || body.kind === 'encrypted';
}

/** A whole frame for the wire. Throws a RangeError for a body over MAX_BODY_BYTES, which needs `encodeMessages`. */
export function encodeMessage(fields: HeaderFields, body: MessageBody): Uint8Array {
  const bytes = encodeBody(body, fields.edition);
  return frameOf(fields, { messageId: messageIdOf(body), bodyLength: bytes.length, ...rawFormOf(body) }, bytes);
}

/**
 * The frames of a message: one, or as many sub-packages as its body needs. Package n has serial `fields.serial` + n - 1,
 * so the sender's count moves on by the number of frames.
 */
export function encodeMessages(fields: HeaderFields, body: MessageBody): Uint8Array[] {
  const bytes = encodeBody(body, fields.edition);
  if (bytes.length <= MAX_BODY_BYTES) return [encodeMessage(fields, body)];
  const total = Math.ceil(bytes.length / MAX_BODY_BYTES);
  if (total > MAX_PARTS) throw new RangeError(`body of ${bytes.length} bytes`);
  return Array.from({ length: total }, (_, index) => {
    const piece = bytes.subarray(index * MAX_BODY_BYTES, (index + 1) * MAX_BODY_BYTES);
    const part = { total, number: index + 1 };
    const serial = (fields.serial + index) & 0xffff;
    return frameOf({ ...fields, serial }, { messageId: messageIdOf(body), bodyLength: piece.length, part }, piece);
  });
}

function rawFormOf(body: MessageBody): Pick<BodyForm, 'encryption' | 'part'> {
  if (body.kind === 'part') return { part: body.part };
  if (body.kind !== 'encrypted') return {};
  return { encryption: body.encryption, ...(body.part && { part: body.part }) };
}

function frameOf(fields: HeaderFields, form: BodyForm, body: Uint8Array): Uint8Array {
  return encodeFrame(encodeHeader(fields, form), body);
}
