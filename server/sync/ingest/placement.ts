// Places fetched groups of pictures on the gateway's clock, and selects what the server lacks of them. Pure except for its own state.
import { setDeviceTime } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { PastGroup, WrittenPacket } from '../../recording/past/pastWriter.ts';
import { DeviceTimes, type KeyTimes } from './deviceTimes.ts';
import { TakenTime } from './freeTime.ts';
import type { Collected, TimedPacket } from './groupCollector.ts';
import type { IngestTarget } from './ingest.ts';

export type PlacedTarget = Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs' | 'toGatewayMs'>;

/** Beyond it a clock was set between two key frames: the first group then ends with its own last picture. */
const MAX_SHIFT_MS = 1_000;

/** The requested range on the gateway's clock. */
export function wantedRange({ deviceFromMs, deviceToMs, toGatewayMs }: PlacedTarget): TimeRange {
  return { fromMs: Math.round(toGatewayMs(deviceFromMs)), toMs: Math.round(toGatewayMs(deviceToMs)) };
}

export class Placement {
  readonly #target: PlacedTarget;
  readonly #wanted: TimeRange;
  readonly #times: DeviceTimes;
  readonly #taken: TakenTime;

  /** `taken`: the server's recordings, and time that must not be touched. */
  constructor(target: PlacedTarget, taken: readonly TimeRange[]) {
    this.#target = target;
    this.#wanted = wantedRange(target);
    this.#times = new DeviceTimes(target);
    this.#taken = new TakenTime(taken);
  }

  /** The part of a group to be written; undefined when the server has it, or nobody has requested it. */
  place({ group, next }: Collected): PastGroup | undefined {
    const deviceMs = this.#times.ofKey(group.key);
    const fromMs = Math.round(this.#target.toGatewayMs(deviceMs));
    const endMs = this.#endOf({ group, next }, fromMs);
    if (endMs <= this.#wanted.fromMs || fromMs >= this.#wanted.toMs) return undefined;
    const freeUntilMs = this.#taken.freeUntil(fromMs);
    if (freeUntilMs === undefined) return undefined;
    const toMs = Math.min(endMs, freeUntilMs);
    if (toMs <= fromMs) return undefined;
    this.#taken.add({ fromMs, toMs });
    const kept = endMs <= toMs ? group.packets : packetsBefore(group.packets, toMs - fromMs);
    const packets = kept.map((each) => withDeviceTime(each, deviceMs));
    return { fromMs, toMs, format: group.format, packets };
  }

  /** End of the group on the gateway's clock. The times of the device may jump where its clock was set. */
  #endOf({ group, next }: Collected, fromMs: number): number {
    const ownEndMs = fromMs + Math.max(1, Math.round(group.spanMs));
    if (next === undefined) return ownEndMs;
    const nextMs = Math.round(this.#target.toGatewayMs(this.#times.ofKey(next)));
    const expectedMs = fromMs + mediaStepMs(group.key, next);
    if (Math.abs(nextMs - expectedMs) <= MAX_SHIFT_MS && nextMs > fromMs) return nextMs;
    return nextMs > fromMs ? Math.min(ownEndMs, nextMs) : ownEndMs;
  }
}

function mediaStepMs(key: KeyTimes, next: KeyTimes): number {
  return (next.mediaTimeUs - key.mediaTimeUs) / 1000;
}

/** A picture can only be dropped with all that come after it in decoding order. */
function packetsBefore(packets: readonly TimedPacket[], endMs: number): TimedPacket[] {
  const firstOver = packets.findIndex(({ packet, offsetMs }) => packet.isVideo && offsetMs >= endMs);
  return packets.filter(({ packet, offsetMs }, at) => {
    if (packet.isVideo) return firstOver < 0 || at < firstOver;
    return packet.isFormat === true || offsetMs < endMs;
  });
}

/** Makes a copy where the packet has no date: others may have the packet too. */
function withDeviceTime({ packet, offsetMs }: TimedPacket, keyMs: number): WrittenPacket {
  const { isVideo, isKey, isFormat } = packet;
  const bytes = new Uint8Array(packet.bytes);
  setDeviceTime(bytes, wallMs(keyMs + offsetMs));
  return { isVideo, isKey, isFormat, bytes };
}
