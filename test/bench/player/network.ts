// When frames leave, on a network that delivers at once and on one that does not. Pure.
import { FRAME_MS } from './benchClip.ts';

export interface Network {
  readonly name: string;
  /** Each frame is late by a random time up to this; none overtakes another, as over TCP. */
  readonly jitterMs: number;
  /** Nothing gets through for a while, then all at once. Counted from the connection's beginning. */
  readonly hole?: { readonly atMs: number; readonly lengthMs: number } | undefined;
}

export const CLEAN: Network = { name: 'clean', jitterMs: 0 };

export interface FrameTimes {
  /** When the camera would have sent it, milliseconds on the clock that `startMs` is of. */
  readonly dueMs: number;
  /** When it leaves. */
  readonly releaseMs: number;
}

/** Channels begin their frames at different moments, as cameras do. */
const CHANNEL_PHASE_MS = 5;

/**
 * Frame after frame of one connection: the first at once, the others on the channel's own beat of 40 ms. The same channel
 * meets the same lateness in every run.
 */
export function* frameTimes(channel: number, startMs: number, network: Network): Generator<FrameTimes, never> {
  const random = seededRandom(channel);
  const beatMs = startMs - ((startMs - channel * CHANNEL_PHASE_MS) % FRAME_MS);
  let releaseMs = startMs;
  yield { dueMs: startMs, releaseMs };
  for (let frame = 1; ; frame++) {
    const dueMs = beatMs + frame * FRAME_MS;
    releaseMs = Math.max(releaseMs, dueMs + random() * network.jitterMs, holeEndMs(dueMs, startMs, network));
    yield { dueMs, releaseMs };
  }
}

function holeEndMs(dueMs: number, startMs: number, { hole }: Network): number {
  if (hole === undefined) return dueMs;
  const sinceHoleMs = dueMs - startMs - hole.atMs;
  return sinceHoleMs >= 0 && sinceHoleMs < hole.lengthMs ? startMs + hole.atMs + hole.lengthMs : dueMs;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
