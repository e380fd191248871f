// Whether a device's terminal answers, and what of its media was lost: POST /api/devicegroup/devices/:id/test.
import * as Type from 'typebox/type';
import { Count, Flag, Nullable, OneOf, type RecordOf, Text, Timestamp } from './records.ts';

/** What of terminals' media can be lost, ignored or left out on its way to viewers. */
export const MEDIA_LOSS_KINDS = [
  /** Numbers that were skipped. */
  'missing-packet',
  /** Came twice; ignored. */
  'repeated-packet',
  /** Came behind those that follow it; ignored. */
  'late-packet',
  /** Bears another terminal's number than its connection; ignored. */
  'foreign-packet',
  /** Bytes that belong to no packet, up to the next one. */
  'resync',
  /** Frames that packets are missing of, or that refer to one. */
  'frame-gap',
  /** Frames whose beginning or end did not come. */
  'frame-interrupted',
  /** Frames that were too large. */
  'frame-size',
  /** Frames that refer to a key frame that was lost. */
  'frame-key-missing',
  /** Groups of pictures that were cut short or left out. */
  'group',
  /** Groups of pictures that a viewer's connection did not take to their end. */
  'viewer-group',
] as const;
export type MediaLossKind = (typeof MEDIA_LOSS_KINDS)[number];

export const ChannelLoss = Type.Object({
  channel: Type.Integer(),
  counts: Type.Unsafe<Record<MediaLossKind, number>>(
    Type.Object(Object.fromEntries(MEDIA_LOSS_KINDS.map((kind) => [kind, Count]))),
  ),
});
export type ChannelLoss = RecordOf<typeof ChannelLoss>;

/** Milliseconds with tenths. */
const Duration = Type.Number();

export const ConnectionAnswer = Type.Union([
  /** `unsupported`: it answered, and does not know the question. */
  Type.Object({ result: OneOf(['unsupported', 'no-answer', 'lost']), afterMs: Duration }),
  Type.Object({
    result: OneOf(['attributes']),
    afterMs: Duration,
    manufacturer: Text,
    model: Text,
    terminalId: Text,
    iccid: Text,
    hardware: Text,
    firmware: Text,
  }),
]);
export type ConnectionAnswer = RecordOf<typeof ConnectionAnswer>;

export const ConnectionTest = Type.Object({
  connected: Flag,
  sinceMs: Timestamp,
  lastMessageAtMs: Timestamp,
  address: Text,
  edition: Text,
  /** Null for a device that is not connected. */
  answer: Nullable(ConnectionAnswer),
  /** Channels that have lost media since the gateway started. */
  mediaLoss: Type.Array(ChannelLoss),
});
export type ConnectionTest = RecordOf<typeof ConnectionTest>;
