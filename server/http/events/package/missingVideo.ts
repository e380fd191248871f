// Which video of an event a package lacks: channels of which nothing was recorded, and holes in the others. Pure.
import { RANGE_JOIN_MS } from '../../../../shared/protocol/timeRanges.ts';

export interface MissingVideo {
  readonly kind: 'clip';
  /** 0: all channels. */
  readonly channel: number;
  readonly name: '';
  readonly state: 'failed';
  readonly from: string;
  readonly to: string;
}

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

interface ChannelRange extends Window {
  readonly channel: number;
}

/** `channels`: those that the device has, and those of the event. `recorded`: by channel and time. */
export function missingVideo(
  channels: readonly number[],
  recorded: readonly ChannelRange[],
  window: Window,
): MissingVideo[] {
  if (recorded.length === 0) return [missing(0, window)];
  const all = new Set([...channels, ...recorded.map(({ channel }) => channel)]);
  return [...all]
    .sort((left, right) => left - right)
    .flatMap((channel) => {
      const ranges = recorded.filter((range) => range.channel === channel);
      return holesIn(ranges, window).map((hole) => missing(channel, hole));
    });
}

function holesIn(ranges: readonly Window[], { fromMs, toMs }: Window): Window[] {
  const holes: Window[] = [];
  let atMs = fromMs;
  for (const range of [...ranges, { fromMs: toMs, toMs }]) {
    // What is shorter shows no hole to whoever plays it.
    if (range.fromMs - atMs > RANGE_JOIN_MS) holes.push({ fromMs: atMs, toMs: range.fromMs });
    atMs = Math.max(atMs, range.toMs);
  }
  return holes;
}

function missing(channel: number, { fromMs, toMs }: Window): MissingVideo {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  return { kind: 'clip', channel, name: '', state: 'failed', from, to };
}
