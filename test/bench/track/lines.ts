// From asking for the line of a track to having it: as the gateway's main thread asks for it, and over HTTP.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TrackReader } from '../../../server/tracks/trackReader.ts';
import type { TrackLine } from '../../../shared/protocol/api/tracks/track.ts';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { DAY_MS } from './drivenMonth.ts';
import { DAYS, type Filled } from './fill.ts';

const REPETITIONS = 20;
/** A map a thousand pixels wide that shows the town. */
const TOWN_PIXEL = 0.0005;
/** No map is closer: a pixel is a decimeter. */
const FULL_DETAIL = 1e-6;
const MOST_POINTS = 20_000;

interface Asked {
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly degreesPerPixel: number;
}

export interface LineBench {
  readonly filled: Filled;
  readonly reader: TrackReader;
  readonly address: string;
  readonly cookie: string;
}

export async function benchLines(bench: LineBench): Promise<Row[]> {
  const { fromMs, toMs } = bench.filled;
  const asked: readonly Asked[] = [
    { what: `${DAYS} days, the town`, fromMs, toMs, degreesPerPixel: TOWN_PIXEL },
    { what: `a packed day, full detail`, fromMs, toMs: fromMs + DAY_MS, degreesPerPixel: FULL_DETAIL },
    { what: `a day in rows, full detail`, fromMs: toMs - DAY_MS, toMs, degreesPerPixel: FULL_DETAIL },
  ];
  const rows: Row[] = [];
  for (const each of asked) rows.push(await measure(bench, each));
  return rows;
}

async function measure(bench: LineBench, { what, fromMs, toMs, degreesPerPixel }: Asked): Promise<Row> {
  const query = { incarnation: bench.filled.incarnation, clock: new DeviceClock([]), fromMs, toMs };
  const options = { tolerance: degreesPerPixel, most: MOST_POINTS };
  const { signal } = new AbortController();
  const server = await timed(() => bench.reader.line(query, options, signal));
  const values = { deviceid: bench.filled.deviceIds[0] ?? '', from: String(fromMs), to: String(toMs) };
  const path = new URLSearchParams({ ...values, degreesPerPixel: degreesPerPixel.toFixed(9) });
  const loopback = await timed(async () => {
    const answer = await fetch(`${bench.address}/api/track/line?${path}`, { headers: { cookie: bench.cookie } });
    if (!answer.ok) throw new Error(`the line: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { readonly data: TrackLine }).data;
  });
  return {
    'asked for': what,
    positions: loopback.line.positions,
    'points of the line': loopback.line.atMs.length,
    'server p50 ms': server.p50,
    'server p95 ms': server.p95,
    'server CPU ms': server.cpuMs,
    'longest hold ms': server.holdMs,
    'loopback p50 ms': loopback.p50,
    'loopback p95 ms': loopback.p95,
  };
}

async function timed(run: () => Promise<TrackLine>) {
  const times: number[] = [];
  // The first ones compile the code.
  for (let at = 0; at < 3; at++) await run();
  const holds = monitorEventLoopDelay({ resolution: 1 });
  let line = await run();
  holds.enable();
  const cpu = process.cpuUsage();
  for (let at = 0; at < REPETITIONS; at++) {
    const startedMs = performance.now();
    line = await run();
    times.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  holds.disable();
  const [p50, p95] = [rounded(percentile(times, 0.5)), rounded(percentile(times, 0.95))];
  const cpuMs = rounded((user + system) / 1_000 / REPETITIONS);
  return { line, p50, p95, cpuMs, holdMs: rounded(holds.max / 1e6) };
}
