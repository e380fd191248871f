// What is recorded of devices, on the server and on the devices themselves: evidence, exports and ranges. Times are milliseconds
// since the epoch. The video pages take the types alone and read answers with small readers of their own.
import * as Type from 'typebox/type';
import { Count, closed, Flag, Id, OneOf, type RecordOf, ShortText, Text, Timestamp } from './records.ts';

export const EVIDENCE_PATH = '/api/playback/evidence';

/** Recordings that are kept beyond their retention. */
export const EvidenceHold = Type.Object({
  id: Id,
  deviceid: Text,
  /** 0: all channels. */
  channel: Count,
  /** Half open. */
  fromMs: Timestamp,
  toMs: Timestamp,
  reason: Text,
  heldBy: Text,
  heldAtMs: Timestamp,
  /** '' and 0 while the hold is active. */
  releasedBy: Text,
  releasedAtMs: Timestamp,
  /** Its device was deleted; another one may have the id by now. */
  formerDevice: Flag,
});
export type EvidenceHold = RecordOf<typeof EvidenceHold>;
export const EvidenceHolds = Type.Array(EvidenceHold);

export const NewEvidenceHold = Type.Object(
  {
    deviceid: ShortText,
    /** 0: all channels. */
    channel: Type.Integer({ minimum: 0, maximum: 255 }),
    /** Half open. */
    fromMs: Type.Integer({ minimum: 0 }),
    toMs: Type.Integer({ minimum: 1 }),
    reason: ShortText,
  },
  closed,
);
export type NewEvidenceHold = RecordOf<typeof NewEvidenceHold>;

export const EvidenceId = Type.Object({ id: Id });
export const EvidenceRelease = Type.Object({ id: Type.Integer({ minimum: 1 }) }, closed);

/** `waiting` for other exports; `stalled`: ended because the download took nothing any more. */
const EXPORT_STATES = ['waiting', 'running', 'done', 'failed', 'stalled', 'cancelled'] as const;

export const ExportState = Type.Object({
  state: OneOf(EXPORT_STATES, 'failed'),
  /** 0 to 1. */
  share: Type.Number(),
});
export type ExportState = RecordOf<typeof ExportState>;

/** Half open. Plain numbers, as places on a time line are. */
export const RecordedRange = Type.Object({ fromMs: Type.Integer(), toMs: Type.Integer() });
export type RecordedRange = RecordOf<typeof RecordedRange>;

export const RecordedChannel = Type.Object({
  channel: Type.Integer(),
  ranges: Type.Array(RecordedRange),
  /** What of the ranges came later, from the device's card. Absent for none. */
  fetched: Type.Optional(Type.Array(RecordedRange)),
});
export type RecordedChannel = RecordOf<typeof RecordedChannel>;
export const RecordedChannels = Type.Object({ channels: Type.Array(RecordedChannel) });

/** One file of a device's own. */
export const RecordingOnDevice = Type.Object({
  startMs: Timestamp,
  endMs: Timestamp,
  /** Absent where the terminal does not say. */
  stream: Type.Optional(OneOf(['main', 'sub'])),
  media: OneOf(['audio', 'video', 'audio-video'], 'audio-video'),
  storage: Type.Optional(OneOf(['main', 'backup'])),
  /** The alarm word of a position, and the one of the cameras: what was recorded for a reason says so. */
  alarms: Type.Integer(),
  videoAlarms: Type.Integer(),
  bytes: Type.Integer(),
});
export type RecordingOnDevice = RecordOf<typeof RecordingOnDevice>;

export const RecordingsOnDevice = Type.Object({
  recordings: Type.Array(RecordingOnDevice),
  fresh: Type.Boolean({ description: 'The device said so just now' }),
  ageMs: Type.Integer({ description: 'Since the device said so' }),
});
