// What the statistics overlay says, from two readings of the player. Pure.
import { Codec } from '../../protocol/stream/streamPacket.ts';
import type { TileStatistics } from '../tile/tilePlayer.ts';

export interface StatisticsReading extends TileStatistics {
  /** By a clock that only goes forward. */
  readonly atMs: number;
}

export interface StatisticsText {
  readonly codec: string | undefined;
  readonly size: string | undefined;
  readonly framesPerSecond: string | undefined;
  readonly bitRate: string | undefined;
  readonly latency: Latency | undefined;
  readonly delayMs: number;
  readonly decodeMs: number;
  readonly decoded: number;
  readonly dropped: number;
  readonly gaps: number;
  readonly reconnects: number;
}

type Latency =
  /** From the device's camera to this screen. */
  | { readonly kind: 'age'; readonly ms: number }
  /** The device's clock is not ours: how far it is off. */
  | { readonly kind: 'clock'; readonly seconds: number };

const CODEC_NAMES: Readonly<Record<number, string>> = {
  [Codec.H264]: 'H.264',
  [Codec.H265]: 'H.265',
  [Codec.Av1]: 'AV1',
};
/** Pictures are not older than this and not from the future: else it is the clocks that differ. */
const MOST_AGE_MS = 30_000;
const LEAST_AGE_MS = -250;

export function statisticsText(now: StatisticsReading, before: StatisticsReading | undefined): StatisticsText {
  const { picture, network, video, reconnects } = now;
  return {
    codec: video === undefined ? undefined : CODEC_NAMES[video.codec],
    size: picture === undefined ? undefined : `${picture.width} × ${picture.height}`,
    framesPerSecond: rate(now, before, ({ video: counts }) => counts?.shown)?.toFixed(1),
    bitRate: bitRateText(rate(now, before, ({ network: counts }) => counts?.bytes)),
    latency: latencyOf(now),
    delayMs: Math.round(video?.delayMs ?? 0),
    decodeMs: Math.round(video?.decodeMs ?? 0),
    decoded: video?.decoded ?? 0,
    dropped: video === undefined ? 0 : video.skipped + Math.max(0, video.decoded - video.shown),
    gaps: video?.gaps ?? 0,
    reconnects,
    ...(network === undefined ? { bitRate: undefined } : {}),
  };
}

/** Per second; undefined where there are no two readings of one stream. */
function rate(
  now: StatisticsReading,
  before: StatisticsReading | undefined,
  countOf: (reading: StatisticsReading) => number | undefined,
): number | undefined {
  const [newest, older] = [countOf(now), before && countOf(before)];
  if (newest === undefined || older === undefined || before === undefined || newest < older) return undefined;
  const seconds = (now.atMs - before.atMs) / 1_000;
  return seconds > 0 ? (newest - older) / seconds : undefined;
}

function bitRateText(bytesPerSecond: number | undefined): string | undefined {
  if (bytesPerSecond === undefined) return undefined;
  const kilobits = (bytesPerSecond * 8) / 1_000;
  return kilobits >= 1_000 ? `${(kilobits / 1_000).toFixed(2)} Mbit/s` : `${Math.round(kilobits)} kbit/s`;
}

function latencyOf({ video, videoAtMs }: StatisticsReading): Latency | undefined {
  if (video === undefined || video.deviceTimeMs <= 0) return undefined;
  const ageMs = videoAtMs - video.newestAgeMs - video.deviceTimeMs;
  if (ageMs > MOST_AGE_MS || ageMs < LEAST_AGE_MS) return { kind: 'clock', seconds: Math.round(-ageMs / 1_000) };
  return { kind: 'age', ms: Math.max(0, Math.round(ageMs)) };
}
