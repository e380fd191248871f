// From asking for a month of a vehicle to its whole line, and a day of it at full detail.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createYielder } from '../../../server/http/devices/import/yielder.ts';
import { readLine } from '../../../server/tracks/line/readLine.ts';
import type { TrackColumns, TrackField, TrackReading } from '../../../server/tracks/trackReading.ts';
import type { TrackLine } from '../../../shared/protocol/api/tracks/track.ts';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { createTrackScene, type TrackScene } from '../../server/http/tracks/trackScene.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { DAYS, drivenMonth, FROM_MS } from './drivenMonth.ts';

const DAY_MS = 86_400_000;
const REPETITIONS = 20;
/** A map a thousand pixels wide that shows the town. */
const TOWN_PIXEL = 0.0005;
/** No map is closer: a pixel is a decimeter. */
const FULL_DETAIL = 1e-6;

interface Asked {
  readonly what: string;
  readonly toMs: number;
  readonly degreesPerPixel: number;
}

const ASKED: readonly Asked[] = [
  { what: `${DAYS} days, the town`, toMs: FROM_MS + DAYS * DAY_MS, degreesPerPixel: TOWN_PIXEL },
  { what: 'a day, full detail', toMs: FROM_MS + DAY_MS, degreesPerPixel: FULL_DETAIL },
];

export async function benchTrack(note: (text: string) => void): Promise<Row[]> {
  const scene = await createTrackScene();
  try {
    note('storing a month of positions');
    await fill(scene);
    const address = await scene.test.app.listen({ host: '127.0.0.1', port: 0 });
    const rows: Row[] = [];
    for (const asked of ASKED) rows.push(await measure(scene, address, asked));
    return rows;
  } finally {
    await scene.test.close();
  }
}

async function fill({ test, bus }: TrackScene): Promise<void> {
  let batch = [];
  for (const position of drivenMonth(bus)) {
    batch.push(position);
    if (batch.length < 20_000) continue;
    await test.stores.positions.append(batch);
    batch = [];
  }
  await test.stores.positions.append(batch);
}

async function measure(scene: TrackScene, address: string, asked: Asked): Promise<Row> {
  const { toMs, degreesPerPixel } = asked;
  const query = { incarnation: scene.bus.incarnation, clock: new DeviceClock([]), fromMs: FROM_MS, toMs };
  const options = { tolerance: degreesPerPixel, most: 20_000 };
  const lineFrom = (reading: TrackReading): Promise<TrackLine> =>
    readLine(reading, { query, options }, { yieldIfDue: createYielder(), gone: new AbortController().signal });
  const held = await holdColumns(scene.test.stores.positions, query);
  const computed = await timed(() => lineFrom(held));
  const server = await timed(() => lineFrom(scene.test.stores.positions));
  const url = `${address}/api/track/line?deviceid=BUS1&from=${FROM_MS}&to=${toMs}&degreesPerPixel=${degreesPerPixel.toFixed(9)}`;
  const loopback = await timed(async () => {
    const answer = await fetch(url, { headers: { cookie: scene.as.watcher, 'sec-fetch-site': 'same-origin' } });
    const { data } = (await answer.json()) as { readonly data: TrackLine };
    return data;
  });
  return {
    'asked for': asked.what,
    positions: loopback.line.positions,
    'points of the line': loopback.line.atMs.length,
    'simplified p95 ms': computed.p95,
    'with reading p95 ms': server.p95,
    'loopback p50 ms': loopback.p50,
    'loopback p95 ms': loopback.p95,
    'longest hold ms': loopback.holdMs,
  };
}

/** Columns in memory: what is left of the time without a store. */
async function holdColumns(
  reading: TrackReading,
  { incarnation, ...span }: { readonly incarnation: number; readonly fromMs: number; readonly toMs: number },
): Promise<TrackReading> {
  const fields = ['latitude', 'longitude', 'speedKmh', 'headingDeg', 'statusBits'] as const;
  const parts: TrackColumns<(typeof fields)[number]>[] = [];
  for await (const part of reading.columns(incarnation, span, fields)) parts.push(part);
  return {
    columns: async function* <Field extends TrackField>() {
      for (const part of parts) yield part as unknown as TrackColumns<Field>;
    },
  };
}

async function timed(run: () => Promise<TrackLine>) {
  const times: number[] = [];
  let line = await run();
  const holds = monitorEventLoopDelay({ resolution: 1 });
  holds.enable();
  for (let at = 0; at < REPETITIONS; at++) {
    const startedMs = performance.now();
    line = await run();
    times.push(performance.now() - startedMs);
  }
  holds.disable();
  const [p50, p95] = [rounded(percentile(times, 0.5)), rounded(percentile(times, 0.95))];
  return { line, p50, p95, holdMs: rounded(holds.max / 1e6) };
}
