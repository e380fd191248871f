import { median, percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import type { Run } from './measure.ts';

/** The figures of several runs of one player as a table's row. Times of all runs together; the rest are means. */
export function summarise(name: string, channels: number, runs: readonly Run[]): Row {
  if (runs.length === 0) return { player: name, ch: channels, runs: 0 };
  const all = (pick: (run: Run) => readonly number[]): readonly number[] => runs.flatMap(pick);
  const sum = (pick: (run: Run) => number): number => runs.reduce((total, run) => total + pick(run), 0);
  const mean = (pick: (run: Run) => number, digits = 0): number => rounded(sum(pick) / runs.length, digits);
  const share = (values: readonly number[], at: number): number => rounded(percentile(values, at));
  const latency = all((run) => run.latencyMs);
  const screenAge = all((run) => run.screenAgeMs);
  return {
    player: name,
    ch: channels,
    runs: runs.length,
    sent: sum((run) => run.sent),
    'p50 ms': share(latency, 0.5),
    'p95 ms': share(latency, 0.95),
    'max ms': rounded(latency.reduce((most, each) => Math.max(most, each), 0)),
    'commit p95': share(
      all((run) => run.committedMs),
      0.95,
    ),
    fps: mean((run) => run.fps, 1),
    dropped: sum((run) => run.sent - run.shown),
    'gap p95': share(
      all((run) => run.gapMs),
      0.95,
    ),
    'first ms': runs.map((run) => rounded(run.firstMs, 0)).join(' / '),
    'CPU s/s': runs.map((run) => rounded(run.cpuPerSecond, 3)).join(' / '),
    'other CPU': runs.map((run) => rounded(run.otherCpuPerSecond, 2)).join(' / '),
    long: sum((run) => run.longTasks),
    'heap MiB': mean((run) => run.heapMib, 1),
    'RSS MiB': mean((run) => run.memory.rssMib),
    'PSS MiB': mean((run) => run.memory.pssMib),
    'anon MiB': mean((run) => run.memory.anonymousMib),
    'screen p50': share(screenAge, 0.5),
    'screen p95': share(screenAge, 0.95),
    'wrong pixels': `${sum((run) => run.wrongPixels)} of ${sum((run) => run.pixelChecks)}`,
    ...holeColumns(
      all((run) => run.beforeHoleMs),
      all((run) => run.afterHoleMs),
    ),
  };
}

function holeColumns(before: readonly number[], after: readonly number[]): Row {
  if (before.length === 0) return {};
  return {
    'before hole p50': rounded(median(before)),
    'after p50': rounded(median(after)),
    'after p95': rounded(percentile(after, 0.95)),
  };
}
