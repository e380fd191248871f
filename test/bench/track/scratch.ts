import { existsSync } from 'node:fs';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { fillTracks } from './fill.ts';
import { createYielder } from '../../../server/http/devices/import/yielder.ts';
import { readLine } from '../../../server/tracks/line/readLine.ts';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';
const file = '/tmp/trackprof/t.db';
const fresh = !existsSync(file);
const d = await openDatabase({ engine: 'sqlite', file });
const stores = createStores(d.db, undefined, d.reading);
if (fresh) console.log(await fillTracks(stores, d.db));
const toMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const fromMs = toMs - 30 * 86_400_000;
const { incarnation } = (await d.db.selectFrom('device').select('incarnation').where('device_id', '=', 'BUS1').executeTakeFirstOrThrow());
const cases = { packed: [fromMs, toMs - 2 * 86_400_000, 0.0005], rows: [toMs - 86_400_000, toMs, 1e-6], all: [fromMs, toMs, 0.0005], day: [fromMs, fromMs + 86_400_000, 1e-6] } as const;
for (const name of (process.argv[2] ?? 'packed,rows,all,day').split(',') as (keyof typeof cases)[]) {
  const [a, b, tolerance] = cases[name];
  const run = () => readLine(stores.positions, { query: { incarnation, clock: new DeviceClock([]), fromMs: a, toMs: b }, options: { tolerance, most: 20_000 } }, { yieldIfDue: createYielder(), gone: new AbortController().signal });
  const n = Number(process.argv[3] ?? 8);
  for (let i = 0; i < 3; i++) await run();
  const cpu = process.cpuUsage(); const t = performance.now();
  const h = monitorEventLoopDelay({ resolution: 1 }); h.enable();
  const walls: number[] = [];
  for (let i = 0; i < n; i++) { const s = performance.now(); await run(); walls.push(performance.now() - s); }
  const u = process.cpuUsage(cpu);
  walls.sort((x, y) => x - y);
  console.log(name, 'wall avg', ((performance.now() - t) / n).toFixed(1), 'min', walls[0]?.toFixed(1), 'cpu', ((u.user + u.system) / 1000 / n).toFixed(1), 'hold', (h.max / 1e6).toFixed(1));
  h.disable();
}
await d.close();
