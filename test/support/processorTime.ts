// How busy the whole machine is, whoever keeps it so.
import { readFile } from 'node:fs/promises';

export interface ProcessorTime {
  /** Seconds since the machine's start that all its processors together worked, and that they stood idle. */
  readonly busySeconds: number;
  readonly idleSeconds: number;
}

const TICKS_PER_SECOND = 100;

export async function processorTime(): Promise<ProcessorTime> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  // user nice system idle iowait irq softirq steal; what guests use is in `user` already.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  const all = ticks.reduce((total, each) => total + each, 0);
  return { busySeconds: (all - idle) / TICKS_PER_SECOND, idleSeconds: idle / TICKS_PER_SECOND };
}

/** The share of the time since then that the processors stood idle, 0 to 1. */
export async function idleShareSince(before: ProcessorTime): Promise<number> {
  const now = await processorTime();
  const idle = now.idleSeconds - before.idleSeconds;
  return idle / (idle + now.busySeconds - before.busySeconds);
}
