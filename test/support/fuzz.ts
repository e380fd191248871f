// Inputs damaged at random, repeatably. FUZZ_RUNS sets how many, FUZZ_SEED which; a failure names the seed and the run.
import { runs } from './runs.ts';

export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? runs(2_000));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Generous for a loaded machine; a hang would need more. */
export const FUZZ_TIMEOUT_MS = 30_000 + FUZZ_RUNS * 5;
/** Above what garbage waiting for its collector makes; what the codecs may hold on to is a few megabytes. */
const MAX_GROWTH_BYTES = 256 * 1024 * 1024;

/** A whole number below `limit`. */
export type Random = (limit: number) => number;

/** Small and repeatable (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export function pick<T>(list: readonly T[], random: Random): T {
  const picked = list[random(list.length)];
  if (picked === undefined) throw new Error('nothing to pick');
  return picked;
}

const EDGES = [0x00, 0x01, 0x30, 0x7d, 0x7e, 0x7f, 0x80, 0xff];

/** The same bytes with some of them changed, left out, added, repeated, or cut off. */
export function damaged(source: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let bytes = [...source];
  for (let turns = 1 + random(4); turns > 0; turns--) {
    const at = random(bytes.length + 1);
    switch (random(7)) {
      case 0:
        bytes[Math.min(at, bytes.length - 1)] = random(256);
        break;
      case 1:
        bytes[Math.min(at, bytes.length - 1)] = EDGES[random(EDGES.length)] ?? 0;
        break;
      case 2:
        bytes.splice(at, 1 + random(8));
        break;
      case 3:
        bytes.splice(at, 0, ...Array.from({ length: 1 + random(8) }, () => random(256)));
        break;
      case 4:
        // Four bytes of ones: lengths and counts of four gigabytes.
        bytes.splice(at, 4, 0xff, 0xff, 0xff, 0xff);
        break;
      case 5:
        bytes = bytes.slice(0, at);
        break;
      default:
        bytes.splice(at, 0, ...bytes.slice(random(bytes.length + 1)));
        break;
    }
  }
  return Uint8Array.from(bytes.filter((byte) => byte !== undefined));
}

export function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Runs `once` with numbers of its own, and says how to run it alone when it fails, or when the whole has grown. */
export function fuzz(once: (random: Random) => void, count = FUZZ_RUNS): void {
  const before = heldBytes();
  for (let run = 0; run < count; run++) {
    try {
      once(createRandom(SEED * 1_000_003 + run));
    } catch (error) {
      throw new Error(`run ${run} of seed ${SEED}`, { cause: error });
    }
  }
  const grownBytes = heldBytes() - before;
  if (grownBytes > MAX_GROWTH_BYTES) throw new Error(`grown by ${grownBytes} bytes in ${count} runs`);
}
