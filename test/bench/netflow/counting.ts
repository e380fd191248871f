// What counting costs the media path: terminals' sockets, hub and viewers, with the meter and without one.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { messageOf } from '../messageOf.ts';
import { FRAME_MS } from '../relay/messages.ts';
import { median, percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import {
  CHANNELS,
  type RelayReady,
  type RelayReport,
  type Sent,
  SIDES,
  type Side,
  type ToRelay,
  type ToTerminals,
  TURN_FRAMES,
  VIEWERS,
} from './messages.ts';

/** Viewers stay for as long as the bench takes. */
const VIEWERS_SECONDS = 3_600;
/** Turns until the compiler has seen both sides. */
const WARM_UP_TURNS = 5;

/** The sides take turns of two seconds in one process, so that what disturbs the machine disturbs both. */
export async function benchCounting(seconds: number, onProgress: (text: string) => void): Promise<Row[]> {
  const relay = start('relayServer.ts', []);
  const others: ChildProcess[] = [];
  try {
    const { viewersPort, ports } = await messageOf<RelayReady>(relay);
    const viewers = start('../relay/viewers.ts', [viewersPort, VIEWERS, VIEWERS_SECONDS].map(String));
    others.push(viewers);
    await messageOf(viewers);
    const terminals = start(
      'terminals.ts',
      SIDES.map((side) => String(ports[side])),
    );
    others.push(terminals);
    await messageOf(terminals);
    for (let at = 0; at < WARM_UP_TURNS; at++) for (const side of SIDES) await turn(relay, terminals, side);
    const turns: Record<Side, Turn[]> = { counted: [], uncounted: [] };
    const pairs = Math.ceil((seconds * 1_000) / (TURN_FRAMES * FRAME_MS));
    for (let at = 0; at < pairs; at++) {
      // The side that goes first alternates too, so that a drift of the machine favors neither.
      const order = at % 2 === 0 ? SIDES : SIDES.toReversed();
      for (const side of order) turns[side].push(await turn(relay, terminals, side));
    }
    const ratios = turns.counted.map(({ rate }, at) => rate / (turns.uncounted[at]?.rate ?? Number.NaN));
    onProgress(`netflow: counted to uncounted, each pair: ${ratios.map((ratio) => rounded(ratio, 2)).join(' ')}`);
    return [toRow(turns, ratios)];
  } finally {
    for (const child of [...others, relay]) child.kill('SIGKILL');
  }
}

interface Turn {
  /** Megabytes from terminals that the relay takes in a second of its processor time. */
  readonly rate: number;
  /** Share of the relay's processor time. */
  readonly countingShare: number;
}

function toRow(turns: Readonly<Record<Side, readonly Turn[]>>, ratios: readonly number[]): Row {
  const rateOf = (side: Side): number => rounded(median(turns[side].map(({ rate }) => rate)), 2);
  return {
    channels: CHANNELS,
    viewers: VIEWERS,
    'MB a CPU second with counting': rateOf('counted'),
    without: rateOf('uncounted'),
    ratio: rounded(median(ratios), 3),
    'middle half of ratios': `${rounded(percentile(ratios, 0.25), 2)} to ${rounded(percentile(ratios, 0.75), 2)}`,
    'at least': 0.98,
    'counting itself, % of CPU': rounded(median(turns.counted.map(({ countingShare }) => countingShare)) * 100, 3),
  };
}

async function turn(relay: ChildProcess, terminals: ChildProcess, side: Side): Promise<Turn> {
  relay.send({ type: 'begin' } satisfies ToRelay);
  terminals.send({ type: 'send', side } satisfies ToTerminals);
  const { bytes } = await messageOf<Sent>(terminals);
  relay.send({ type: 'end', side, bytes } satisfies ToRelay);
  const { cpuSeconds, packets, countedBytes, countingSeconds } = await messageOf<RelayReport>(relay);
  // A side that counts nothing, or counts what it should not, makes the comparison void.
  const expected = side === 'counted' ? bytes : 0;
  if (packets === 0 || countedBytes !== expected) {
    throw new Error(`${countedBytes} bytes were counted of ${bytes} on the ${side} side, in ${packets} packets`);
  }
  return { rate: bytes / 1e6 / cpuSeconds, countingShare: countingSeconds / cpuSeconds };
}

function start(script: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
}
