// How many viewers of one channel one process serves before the 95th percentile of the delay passes 50 ms.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { treeCpuSeconds } from '../../support/runner/processTree.ts';
import { messageOf } from '../messageOf.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import type { RelayKind, ServerReady, ViewersReport } from './messages.ts';

const KINDS: readonly RelayKind[] = ['fleetglass', 'bare ws'];
const MAX_DELAY_MS = 50;
const WINDOW_SECONDS = 5;
const STEPS = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000];

interface Step {
  readonly viewers: number;
  readonly p50: number;
  readonly p95: number;
  readonly receivedShare: number;
  /** Processor time of the server's process, seconds a second. */
  readonly cpuPerSecond: number;
}

/** `onProgress` is called with each step: which server, how many viewers, and the result. */
export async function benchRelay(onProgress: (text: string) => void): Promise<Row[]> {
  const best = new Map<RelayKind, Step>();
  const failed = new Set<RelayKind>();
  // The servers take turns at each step, so that a machine that slows down slows both.
  for (const viewers of STEPS) {
    for (const kind of KINDS.filter((each) => !failed.has(each))) {
      // Another program may fail a step that the server would hold, so each step has a second attempt.
      const isHeld = (await attempt(kind, viewers)) || (await attempt(kind, viewers));
      if (!isHeld) failed.add(kind);
    }
  }
  async function attempt(kind: RelayKind, viewers: number): Promise<boolean> {
    const step = await measure(kind, viewers);
    const { p50, p95, cpuPerSecond, receivedShare } = step;
    const share = rounded(receivedShare * 100, 1);
    onProgress(
      `${kind}, ${viewers} viewers: p50 ${p50} ms, p95 ${p95} ms, ${share} % received, ${cpuPerSecond} CPU s/s`,
    );
    const isHeld = p95 <= MAX_DELAY_MS && receivedShare > 0.98;
    if (isHeld) best.set(kind, step);
    return isHeld;
  }

  const bare = best.get('bare ws')?.viewers ?? Number.NaN;
  return KINDS.map((kind) => toRow(kind, best.get(kind), bare));
}

function toRow(kind: RelayKind, step: Step | undefined, bareViewers: number): Row {
  if (step === undefined)
    return { server: kind, viewers: 0, 'p50 ms': '', 'p95 ms': '', 'CPU s/s': '', 'ratio to bare ws': 0 };
  const { viewers, p50, p95, cpuPerSecond } = step;
  const ratio = rounded(viewers / bareViewers, 2);
  return { server: kind, viewers, 'p50 ms': p50, 'p95 ms': p95, 'CPU s/s': cpuPerSecond, 'ratio to bare ws': ratio };
}

async function measure(kind: RelayKind, viewers: number): Promise<Step> {
  const server = start('server.ts', [kind]);
  try {
    const { port } = await messageOf<ServerReady>(server);
    const clients = start('viewers.ts', [String(port), String(viewers), String(WINDOW_SECONDS)]);
    await messageOf(clients);
    const cpuBefore = await treeCpuSeconds(server.pid ?? 0);
    const { delaysMs, received, expected } = await messageOf<ViewersReport>(clients);
    const cpuPerSecond = rounded(((await treeCpuSeconds(server.pid ?? 0)) - cpuBefore) / WINDOW_SECONDS, 2);
    const p50 = rounded(percentile(delaysMs, 0.5));
    return { viewers, p50, p95: rounded(percentile(delaysMs, 0.95)), receivedShare: received / expected, cpuPerSecond };
  } finally {
    server.kill('SIGKILL');
  }
}

function start(script: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
}
