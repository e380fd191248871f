// The files that a simulated terminal uploads for a range: what its card has of it, in the format that the terminal writes.
import { GMT_PLUS_8_MS } from '../../server/device/jt808/codec/bcd.ts';
import { DataType } from '../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../server/device/jt1078/codec/payloadTypes.ts';
import type { CardClock } from '../card/cardClock.ts';
import type { CardFile } from '../card/cardContents.ts';
import { FRAME_MS, frameAt } from '../clip/clipFormat.ts';
import type { Clip } from '../clip/loadClip.ts';
import { toneChunk } from '../clip/tone.ts';
import { alarmClip } from '../evidence/alarmClip.ts';
import { MediaFraming } from '../mediaFraming.ts';
import { dataTypeOf } from '../mediaSender.ts';
import type { UploadQuirks } from '../quirks.ts';

export interface UploadFile {
  readonly name: string;
  /** The piece of the card's recordings that the file holds. */
  readonly piece: CardFile;
  /** Made only when it is sent, since some files are large. */
  readonly bytes: () => Uint8Array;
}

export interface UploadSource {
  readonly clip: Clip;
  /** The terminal's number as packets give it. */
  readonly sim: string;
  readonly channel: number;
  readonly clock: CardClock;
}

const GARBAGE_BYTES = 300_000;

export function uploadFiles(pieces: readonly CardFile[], source: UploadSource, quirks: UploadQuirks): UploadFile[] {
  const { format = 'mp4', parts = 1, isGarbage = false } = quirks;
  return pieces
    .flatMap((piece) => inParts(piece, parts, source.clip.keyFrameInterval * FRAME_MS))
    .map((piece) => ({
      name: `CH${String(source.channel).padStart(2, '0')}_${stampOf(source.clock.shown(piece.startMs))}.${extensionOf(format, source)}`,
      piece,
      bytes: () => (isGarbage ? garbage() : contentOf(piece, source, format)),
    }));
}

/** Cuts a file between groups of pictures. */
function inParts({ startMs, endMs }: CardFile, count: number, groupMs: number): CardFile[] {
  const partMs = Math.max(groupMs, Math.ceil((endMs - startMs) / count / groupMs) * groupMs);
  const parts: CardFile[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += partMs)
    parts.push({ startMs: atMs, endMs: Math.min(atMs + partMs, endMs) });
  return parts;
}

function contentOf({ startMs, endMs }: CardFile, source: UploadSource, format: UploadQuirks['format']): Uint8Array {
  if (format === 'packets') return packetsOf({ startMs, endMs }, source);
  if (format !== 'raw') return alarmClip(source.clip, { startMs, endMs }, source.clock.aheadMs);
  return Buffer.concat(momentsOf({ startMs, endMs }, source.clip).map(({ picture }) => picture.bytes));
}

function packetsOf(range: CardFile, { clip, sim, channel, clock }: UploadSource): Uint8Array {
  const framing = new MediaFraming(sim, channel);
  const payloadType = PayloadType[clip.codec];
  const packets = momentsOf(range, clip).flatMap(({ momentMs, shownMs, picture }) => [
    ...framing.packets({
      dataType: dataTypeOf(picture),
      payloadType,
      timestampMs: clock.shown(shownMs),
      bytes: picture.bytes,
    }),
    ...framing.packets({
      dataType: DataType.Audio,
      payloadType: PayloadType.G711A,
      timestampMs: clock.shown(momentMs),
      bytes: toneChunk(momentMs),
    }),
  ]);
  return Buffer.concat(packets);
}

/** The moments of the whole groups of pictures that hold the range. */
function momentsOf({ startMs, endMs }: CardFile, clip: Clip) {
  const groupMs = clip.keyFrameInterval * FRAME_MS;
  const firstMs = Math.floor(startMs / groupMs) * groupMs;
  const behindMs = Math.ceil(endMs / groupMs) * groupMs;
  const moments = [];
  for (let momentMs = firstMs; momentMs < behindMs; momentMs += FRAME_MS) {
    const position = frameAt(momentMs);
    const picture = clip.frames[position];
    if (picture === undefined) throw new Error(`the clip has no frame ${position}`);
    moments.push({ momentMs, shownMs: momentMs + (picture.shownAt - position) * FRAME_MS, picture });
  }
  return moments;
}

function garbage(): Uint8Array {
  return Uint8Array.from({ length: GARBAGE_BYTES }, (_, at) => (at * 7919 + (at >>> 5)) & 0xff);
}

function extensionOf(format: NonNullable<UploadQuirks['format']>, { clip }: UploadSource): string {
  if (format === 'packets') return 'jt';
  return format === 'mp4' ? 'mp4' : clip.codec.toLowerCase();
}

/** The time in the time zone that terminals keep. */
function stampOf(atMs: number): string {
  return new Date(atMs + GMT_PLUS_8_MS).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
}
