// How busy machine and gateway are: shares over the time since the last reading.
import { cpus, freemem, totalmem } from 'node:os';

export interface CpuTimes {
  readonly busyMs: number;
  readonly idleMs: number;
  /** CPU time of this process. */
  readonly ownMs: number;
}

interface Totals {
  readonly inBytes: number;
  readonly outBytes: number;
}

interface Reading extends CpuTimes, Totals {
  readonly atMs: number;
}

export interface Gauges {
  readonly machineShare: number;
  readonly gatewayShare: number;
  readonly cores: number;
  readonly inBytesPerSecond: number;
  readonly outBytesPerSecond: number;
  readonly gatewayBytes: number;
  readonly machineUsedBytes: number;
  readonly machineTotalBytes: number;
}

export interface GaugeDeps {
  readonly now: () => number;
  readonly cpuTimes: () => CpuTimes;
  readonly totals: () => Totals;
}

/** Readings closer together show chance rather than load. */
const LEAST_SPAN_MS = 2_000;

/** Creates the reader. Its first reading covers the time since the reader was created. */
export function createGauges(deps: GaugeDeps): () => Gauges {
  const read = (): Reading => ({ atMs: deps.now(), ...deps.cpuTimes(), ...deps.totals() });
  let before = read();
  let last: Gauges | undefined;
  return () => {
    const now = read();
    if (last !== undefined && now.atMs - before.atMs < LEAST_SPAN_MS) return last;
    last = gaugesBetween(before, now);
    before = now;
    return last;
  };
}

function gaugesBetween(before: Reading, now: Reading): Gauges {
  const busyMs = now.busyMs - before.busyMs;
  const allMs = busyMs + now.idleMs - before.idleMs;
  const spanMs = Math.max(1, now.atMs - before.atMs);
  const share = (part: number): number => (allMs <= 0 ? 0 : Math.min(1, Math.max(0, part / allMs)));
  return {
    machineShare: share(busyMs),
    gatewayShare: share(now.ownMs - before.ownMs),
    cores: cpus().length,
    inBytesPerSecond: ((now.inBytes - before.inBytes) * 1000) / spanMs,
    outBytesPerSecond: ((now.outBytes - before.outBytes) * 1000) / spanMs,
    gatewayBytes: process.memoryUsage.rss(),
    machineUsedBytes: totalmem() - freemem(),
    machineTotalBytes: totalmem(),
  };
}

export function readCpuTimes(): CpuTimes {
  let busyMs = 0;
  let idleMs = 0;
  for (const { times } of cpus()) {
    busyMs += times.user + times.nice + times.sys + times.irq;
    idleMs += times.idle;
  }
  const { user, system } = process.cpuUsage();
  return { busyMs, idleMs, ownMs: (user + system) / 1000 };
}
