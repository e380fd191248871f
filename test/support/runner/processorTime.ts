// How busy the whole machine is, and how much of that is none of this test's: what measures time asks less of a machine that others
// have taken, and as much as ever of the product that takes it itself.
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { treeCpuSecondsWithEnded } from './processTree.ts';

export interface ProcessorTime {
  /** Seconds since the machine's start that all its processors together worked, and that they stood idle. */
  readonly busySeconds: number;
  readonly idleSeconds: number;
  /** What of it this process and its descendants used: the test, its gateways and its browsers. */
  readonly ownSeconds: number;
}

const TICKS_PER_SECOND = 100;

export async function processorTime(): Promise<ProcessorTime> {
  return process.platform === 'linux' ? kernelsCount() : nodesCount();
}

/** Linux tells of time that the host took away, which Node leaves out. */
async function kernelsCount(): Promise<ProcessorTime> {
  const [statistics, ownSeconds] = await Promise.all([
    readFile('/proc/stat', 'utf8'),
    treeCpuSecondsWithEnded(process.pid),
  ]);
  // user nice system idle iowait irq softirq steal; what guests use is in `user` already.
  const ticks = (statistics.split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  const all = ticks.reduce((total, each) => total + each, 0);
  return { busySeconds: (all - idle) / TICKS_PER_SECOND, idleSeconds: idle / TICKS_PER_SECOND, ownSeconds };
}

/** Who used it is not told elsewhere: all of it counts as the test's own, and nothing is ever excused. */
function nodesCount(): ProcessorTime {
  const times = cpus().map((processor) => processor.times);
  const idleMs = times.reduce((total, { idle }) => total + idle, 0);
  const busyMs = times.reduce((total, { user, nice, sys, irq }) => total + user + nice + sys + irq, 0);
  return { busySeconds: busyMs / 1_000, idleSeconds: idleMs / 1_000, ownSeconds: busyMs / 1_000 };
}

/** The share of the processors' time in between that others used, 0 to 1. */
export function othersShare(before: ProcessorTime, after: ProcessorTime): number {
  const busySeconds = after.busySeconds - before.busySeconds;
  const allSeconds = busySeconds + after.idleSeconds - before.idleSeconds;
  // A process whose parent ended before it takes what it used out of the count.
  const ownSeconds = Math.max(0, after.ownSeconds - before.ownSeconds);
  return allSeconds > 0 ? Math.max(0, busySeconds - ownSeconds) / allSeconds : 0;
}

/** Two busy loops beside six threads of the test's own leave them three quarters of two processors. */
const SPENT_SHARE = 0.25;
/** Less than that is too few ticks of the kernel's clock. */
const LEAST_WINDOW_SECONDS = 1;

/**
 * Whether others took so much of the machine since then that what measures time fails without a fault of the product. Says so when
 * they did. What the product uses never counts: a fault that burns processor time does not excuse itself.
 */
export async function isSpentSince(before: ProcessorTime): Promise<boolean> {
  const share = othersShare(before, await laterThan(before));
  if (share < SPENT_SHARE) return false;
  console.info(`others took ${Math.round(share * 100)} % of the processors: wider limits hold`);
  return true;
}

async function laterThan(before: ProcessorTime): Promise<ProcessorTime> {
  for (;;) {
    const now = await processorTime();
    const wallSeconds = (now.busySeconds + now.idleSeconds - before.busySeconds - before.idleSeconds) / cpus().length;
    if (wallSeconds >= LEAST_WINDOW_SECONDS) return now;
    await delay(1_000 * (LEAST_WINDOW_SECONDS - wallSeconds) + 20);
  }
}

/** How many times as long it may take where others took the machine. */
const SPENT_FACTOR = 3;

/** Waits for what must come within so long; where others took the machine it may come later, and must come all the same. */
export async function within(limitMs: number, waiting: () => Promise<unknown>): Promise<void> {
  const before = await processorTime();
  const beganMs = performance.now();
  await waiting();
  const tookMs = performance.now() - beganMs;
  if (tookMs <= limitMs || (tookMs <= limitMs * SPENT_FACTOR && (await isSpentSince(before)))) return;
  throw new Error(`took ${Math.round(tookMs)} ms, more than ${limitMs}`);
}
