// One process that relays and records so many channels. argv: channels, seconds, folder.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Hub } from '../../../server/media/hub.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { Recorder } from '../../../server/recording/recorder.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { createStreamServer } from '../../../server/stream/streamServer.ts';
import { NO_CONTROLS } from '../../support/fakes/noControls.ts';
import { serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { percentile } from '../statistics.ts';
import { FRAME_MS, PAYLOAD_BYTES, type RecorderReady, type RecorderReport, WARM_UP_MS } from './messages.ts';
import { benchPacket } from './packets.ts';

const [channels = 0, seconds = 0] = process.argv.slice(2, 4).map(Number);
const folder = process.argv[4] ?? '';
const DEVICE = 'BENCH';

const runAfter = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};
const fail = (error: unknown): never => {
  throw error;
};
const database = await openDatabase({ engine: 'sqlite', file: join(folder, 'bench.db') });
const stores = createStores(database.db);
await stores.devices.insert({ deviceId: DEVICE, name: 'Bench', chn: channels });
const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter });
const recorder = new Recorder({
  stores,
  runAfter,
  now: Date.now,
  files: createRecordingFiles(join(folder, 'recordings')),
  channelsOf: ({ chn }) => Array.from({ length: chn }, (_, at) => at + 1),
  ignitionOn: () => true,
  log: { info: () => undefined, warn: () => undefined, error: fail },
  settings: {
    syncIntervalMs: 5_000,
    floorBytes: 1_000_000,
    maximumBytes: 0,
    preset: { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 },
  },
});
await recorder.start({ hub });
const streams = createStreamServer({
  hub,
  runAfter,
  mayWatch: async () => ({ ok: true }),
  onFault: fail,
  ...NO_CONTROLS,
});
const { port } = await serveEndpoints(streams.endpoints);
process.send?.({ type: 'ready', port } satisfies RecorderReady);
await delay(WARM_UP_MS);

const startedCpu = process.cpuUsage();
const lateMs: number[] = [];
let heldBytes = 0;
let published = 0;
const startMs = Date.now();
// Cameras are not in step: each has its own moment within the picture's time, and its own key frame.
let slot = 0;
const slots = (seconds * 1_000 * channels) / FRAME_MS;
const slotMs = FRAME_MS / channels;
await new Promise<void>((resolve) => {
  const sendDue = (): void => {
    const nowMs = Date.now();
    for (; slot < slots && startMs + slot * slotMs <= nowMs; slot++) publish(slot, nowMs);
    heldBytes = Math.max(heldBytes, recorder.heldBytes);
    if (slot >= slots) resolve();
    else setTimeout(sendDue, 2);
  };
  sendDue();
});
await recorder.close();
const used = process.cpuUsage(startedCpu);
const report: RecorderReport = {
  type: 'report',
  droppedPackets: recorder.counters.droppedPackets,
  failures: recorder.counters.failures,
  payloadBytes: published * PAYLOAD_BYTES,
  diskBytes: bytesBelow(join(folder, 'recordings')),
  heldBytes,
  cpuSeconds: (used.user + used.system) / 1_000_000,
  lateP95Ms: percentile(lateMs, 0.95),
};
process.send?.(report, () => process.exit(0));

function publish(number: number, nowMs: number): void {
  const channel = (number % channels) + 1;
  const frame = Math.floor(number / channels);
  const dueMs = startMs + number * slotMs;
  hub.publish({ deviceId: DEVICE, channel, quality: 'main' }, benchPacket(frame, channel, dueMs));
  published++;
  if (number % 97 === 0) lateMs.push(nowMs - dueMs);
}

function bytesBelow(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => statSync(join(path, name))).filter((each) => each.isFile());
  return files.reduce((sum, { size }) => sum + size, 0);
}
