// How busy the whole machine is, whoever keeps it so.
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

export interface ProcessorTime {
  /** Seconds since the machine's start that all its processors together worked, and that they stood idle. */
  readonly busySeconds: number;
  readonly idleSeconds: number;
}

const TICKS_PER_SECOND = 100;

export async function processorTime(): Promise<ProcessorTime> {
  return process.platform === 'linux' ? kernelsCount() : nodesCount();
}

/** Linux tells of time that the host took away, which Node leaves out. */
async function kernelsCount(): Promise<ProcessorTime> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  // user nice system idle iowait irq softirq steal; what guests use is in `user` already.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  const all = ticks.reduce((total, each) => total + each, 0);
  return { busySeconds: (all - idle) / TICKS_PER_SECOND, idleSeconds: idle / TICKS_PER_SECOND };
}

function nodesCount(): ProcessorTime {
  const times = cpus().map((processor) => processor.times);
  const idleMs = times.reduce((total, { idle }) => total + idle, 0);
  const busyMs = times.reduce((total, { user, nice, sys, irq }) => total + user + nice + sys + irq, 0);
  return { busySeconds: busyMs / 1_000, idleSeconds: idleMs / 1_000 };
}

/** The share of the time since then that the processors stood idle, 0 to 1. */
export async function idleShareSince(before: ProcessorTime): Promise<number> {
  const now = await processorTime();
  const idle = now.idleSeconds - before.idleSeconds;
  return idle / (idle + now.busySeconds - before.busySeconds);
}

/**
 * Eight channels leave half of two usual processors idle. A machine that is slower, or that others have taken, cannot show every
 * picture at every moment; what is asked of it is that it goes on in order and never stands still.
 */
const SPENT_IDLE_SHARE = 0.3;

/** Whether the machine had too little left since then for what measures time. Says so when it had. */
export async function isSpentSince(before: ProcessorTime): Promise<boolean> {
  const idleShare = await idleShareSince(before);
  if (idleShare >= SPENT_IDLE_SHARE) return false;
  console.info(`of the processors ${Math.round(idleShare * 100)} % were idle: only order and movement are asked for`);
  return true;
}

/** How many times as long a spent machine may take. */
const SPENT_FACTOR = 10;

/** Waits for what must come within so long; on a spent machine it may come later, and must come all the same. */
export async function within(limitMs: number, waiting: () => Promise<unknown>): Promise<void> {
  const before = await processorTime();
  const beganMs = performance.now();
  await waiting();
  const tookMs = performance.now() - beganMs;
  if (tookMs <= limitMs || (tookMs <= limitMs * SPENT_FACTOR && (await isSpentSince(before)))) return;
  throw new Error(`took ${Math.round(tookMs)} ms, more than ${limitMs}`);
}
