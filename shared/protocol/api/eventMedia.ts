// Pictures, files and recordings of events (docs/contract.md). Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { EVENT_MEDIA_KINDS, EVENT_MEDIA_STATES } from '../events/eventWords.ts';
import { Count, Id, OneOf, type RecordOf, Text, Timestamp } from './records.ts';

export const EVENT_MEDIA_PATH = '/api/event/media';

export const EventMedia = Type.Object({
  id: Id,
  kind: OneOf(EVENT_MEDIA_KINDS, 'attachment'),
  state: OneOf(EVENT_MEDIA_STATES, 'failed'),
  /** From 1; 0 where it is not known, and for the recordings of all channels. */
  channel: Type.Integer(),
  /** The terminal's name of a file; for a clip that failed, the reason: `no-room`. */
  name: Text,
  /** '' until it is stored. */
  contentType: Text,
  bytes: Count,
  /** Hexadecimal; '' until it is stored. */
  sha256: Text,
  /** By the device's clock. */
  takenAtMs: Timestamp,
  requestedAtMs: Timestamp,
  storedAtMs: Timestamp,
});
export type EventMedia = RecordOf<typeof EventMedia>;
export const EventMediaList = Type.Array(EventMedia);

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'audio/wav': '.wav',
  'audio/mpeg': '.mp3',
  'video/mp4': '.mp4',
  'video/h264': '.h264',
  'text/plain': '.txt',
};

/** Extension of a saved file, by its content type and not by the terminal's name for it. */
export function fileExtension(contentType: string): string {
  return EXTENSIONS[contentType] ?? '.bin';
}
