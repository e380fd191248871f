// Terminals and lines at random: the terminal has exactly the bytes, or the sender says that it has not.
import { expect, it } from 'vitest';
import { GeneralResult } from '../../../../../../server/device/jt808/codec/codes.ts';
import { MAX_BODY_BYTES } from '../../../../../../server/device/jt808/codec/header.ts';
import { ANSWER_TIMEOUT_MS } from '../../../../../../server/device/jt808/packages/packageSender.ts';
import { packagesOf } from '../../../../../../server/device/jt808/packages/packageSource.ts';
import { createRandom, FUZZ_RUNS, FUZZ_TIMEOUT_MS, type Random } from '../../../../../support/fuzz.ts';
import { settled } from '../fakeTerminal.ts';
import { bytesOf, openSender, type PackageScene, type SentPackage, sourceOf } from './packageScene.ts';

const RUNS = Math.ceil(FUZZ_RUNS / 10);

interface Line {
  /** One in so many: a package is lost, or its acknowledgement; 0 for none. */
  readonly losesOneIn: number;
  readonly isLyingOneIn: number;
  /** The terminal answers what it likes, from the start or from then on. */
  readonly refusesOneIn: number;
}

/** What a terminal has: only this counts, whatever it acknowledges. */
class Received {
  readonly pieces = new Map<number, Uint8Array>();

  bytes(): Uint8Array {
    const numbers = [...this.pieces.keys()].sort((left, right) => left - right);
    return Buffer.concat(numbers.map((number) => this.pieces.get(number) ?? new Uint8Array(0)));
  }
}

const oneIn = (count: number, random: Random): boolean => count > 0 && random(count) === 0;

function hear({ acknowledge }: PackageScene, { serial, body }: SentPackage, received: Received, turn: Turn): void {
  const { line, random } = turn;
  if (oneIn(line.losesOneIn, random)) return;
  if (oneIn(line.refusesOneIn, random)) {
    acknowledge(serial, random(2) === 0 ? GeneralResult.BadMessage : GeneralResult.Failed);
    return;
  }
  received.pieces.set(body.part.number, body.bytes);
  if (oneIn(line.losesOneIn, random)) return;
  for (let times = 1 + random(2); times > 0; times--) acknowledge(serial);
}

interface Turn {
  readonly line: Line;
  readonly random: Random;
  readonly total: number;
  readonly firstSerial: number;
}

/** Says something that is not so, or asks for packages. */
function say({ sender, acknowledge }: PackageScene, received: Received, { random, total, firstSerial }: Turn): void {
  const number = random(total + 3);
  if (random(2) === 0) {
    // What it has, or what there is not: a terminal that acknowledges what it has lost gets no help from anybody.
    if (received.pieces.has(number) || number === 0 || number > total) acknowledge(firstSerial + number - 1);
    return;
  }
  const numbers = [number, random(0x10000), 0];
  if (random(4) === 0) {
    sender.resend({ firstSerial: (firstSerial + 1 + random(1_000)) & 0xffff, numbers });
    return;
  }
  // Once it has ended nothing can be asked for.
  if (!sender.resend({ firstSerial, numbers })) return;
  for (const asked of numbers) received.pieces.delete(asked);
}

async function run(random: Random): Promise<'delivered' | 'failed'> {
  const bytes = bytesOf(1 + random(40 * MAX_BODY_BYTES), random(256));
  const total = packagesOf(bytes.length);
  const firstSerial = 0xffff - random(60);
  const line: Line = { losesOneIn: random(3) * 4, isLyingOneIn: random(3) * 3, refusesOneIn: random(4) === 0 ? 40 : 0 };
  const turn: Turn = { line, random, total, firstSerial };
  const scene = openSender({ source: sourceOf(bytes), window: 1 + random(8), firstSerial });
  const received = new Received();
  for (let turns = 0; scene.result() === undefined; turns++) {
    expect(turns, 'it comes to an end').toBeLessThan(5_000);
    await settled();
    const sent = scene.takeSent();
    for (const each of random(3) === 0 ? sent.reverse() : sent) hear(scene, each, received, turn);
    if (turns < 500 && oneIn(line.isLyingOneIn, random)) say(scene, received, turn);
    if (sent.length === 0) scene.timers.advance(ANSWER_TIMEOUT_MS / 2);
  }
  if (scene.result()?.ok !== true) return 'failed';
  expect(Buffer.compare(received.bytes(), bytes)).toBe(0);
  return 'delivered';
}

it(
  'delivers exactly the bytes, or says that it failed',
  async () => {
    const ends = { delivered: 0, failed: 0 };
    for (let each = 0; each < RUNS; each++) {
      try {
        ends[await run(createRandom(1_000_003 + each))]++;
      } catch (error) {
        throw new Error(`run ${each}`, { cause: error });
      }
    }
    expect(ends.delivered).toBeGreaterThan(RUNS / 4);
    expect(ends.failed).toBeGreaterThan(0);
  },
  FUZZ_TIMEOUT_MS,
);
