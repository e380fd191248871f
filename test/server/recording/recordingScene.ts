// Packets and files as recordings need them: small, whole and told apart by their numbers.
import { createFormatPacket, createHubPacket, type HubPacket } from '../../../server/media/hubPacket.ts';
import type { RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import { encodeStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind, readPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';

export const PICTURE_MS = 40;
export const GROUP_PICTURES = 25;
/** Saturday, noon, UTC. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export interface PictureOptions {
  readonly payloadBytes?: number;
  readonly discontinuity?: boolean;
  /** What the device's clock is ahead of ours. */
  readonly deviceAheadMs?: number;
  readonly groupPictures?: number;
  /** Media time of picture 0. */
  readonly mediaStartMs?: number;
  /** Gradual refresh begins with each key frame. */
  readonly isRecovering?: boolean;
}

/** Picture `number` of a camera that began at NOON: a start code, its number, and filling that is never zero. */
export function picture(number: number, options: PictureOptions = {}): HubPacket {
  const { payloadBytes = 200, discontinuity = false, deviceAheadMs = 0 } = options;
  const payload = new Uint8Array(payloadBytes).fill(0x5a);
  payload.set([0, 0, 0, 1]);
  new DataView(payload.buffer).setUint32(4, number);
  const key = number % (options.groupPictures ?? GROUP_PICTURES) === 0;
  const times = {
    mediaTimeUs: mediaUs(((options.mediaStartMs ?? 5_000) + number * PICTURE_MS) * 1000),
    deviceTimeMs: wallMs(NOON + deviceAheadMs + number * PICTURE_MS),
  };
  const dependence = key && options.isRecovering === true ? 'recovering' : undefined;
  return createHubPacket(
    { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity, dependence, ...times },
    payload,
  );
}

export function sound(number: number): HubPacket {
  const header = { kind: PacketKind.Audio, codec: Codec.G711A, key: false, discontinuity: false };
  const times = { mediaTimeUs: mediaUs(5_000_000 + number * 40_000), deviceTimeMs: wallMs(0) };
  return createHubPacket({ ...header, ...times }, new Uint8Array(320).fill(0xd5));
}

export function soundFormat(sampleRate = 8_000): HubPacket {
  const event = encodeStreamEvent({ type: 'format', codec: Codec.G711A, sampleRate, channels: 1 });
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false };
  return createFormatPacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, event);
}

/** The number that `picture` wrote. */
function pictureNumber(payload: Uint8Array): number {
  return new DataView(payload.buffer, payload.byteOffset).getUint32(4);
}

export interface PlacedPicture {
  readonly number: number;
  /** When it is shown. Not whole milliseconds. */
  readonly wallMs: number;
}

/** The pictures among packets that were read, by the numbers that `picture` wrote. */
export function placedPictures(packets: readonly RecordedPacket[]): PlacedPicture[] {
  return packets.flatMap(({ kind, timeUs, bytes }) => {
    const read = kind === 'video' ? readPacket(bytes) : undefined;
    return read?.kind === 'packet' ? [{ number: pictureNumber(read.packet.payload), wallMs: timeUs / 1_000 }] : [];
  });
}
