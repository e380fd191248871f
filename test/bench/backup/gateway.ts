// One process that relays a channel, stores positions, and makes, tests and restores backups in threads as the gateway does.
// argv: folder with the database.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MAX_LOG_BYTES } from '../../../server/backup/archive/writeArchive.ts';
import { DEFAULT_CHOICES } from '../../../server/backup/restore/restoreChoices.ts';
import { newRestoreId, restorePath } from '../../../server/backup/restore/restoreFolder.ts';
import type { BackupRunOptions, BackupThreads } from '../../../server/backup/thread/backupThread.ts';
import { HISTORY_PARTS } from '../../../server/store/backup/tableParts.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { positionsNow, type Vehicle } from '../positions/fill.ts';
import { relayThroughHub, sendFrames } from '../relay/hubRelay.ts';
import type { GatewayReady, Performed, ToGateway, Watched, Work } from './messages.ts';

const MEMORY_MS = 20;
/** Between two batches of the whole fleet. */
const STEP_MS = 250;
const VEHICLES = 250;
/** From source, to start a thread is much more work for this one. */
const THREADS = join(import.meta.dirname, '../../../dist/gateway/server/backup/thread/backupThread.js');
type Threads = typeof import('../../../server/backup/thread/backupThread.ts');

const [folder = ''] = process.argv.slice(2);
const onFault = (error: Error): never => {
  throw error;
};
const { createBackupThreads } = (await import(pathToFileURL(THREADS).href)) as Threads;
const threads: BackupThreads = createBackupThreads(onFault, 'an open gateway');
const location = { engine: 'sqlite', file: join(folder, 'fleetglass.db') } as const;
const database = await openDatabase(location);
const { positions } = createStores(database.db);
const vehicles: Vehicle[] = Array.from({ length: VEHICLES }, (_, at) => ({
  deviceId: `DEV${at}`,
  incarnation: at + 1,
}));
const key = { kind: 'recovery-key', key: randomBytes(32) } as const;
const archive = join(folder, 'kept.fgb');

const { port, send } = await relayThroughHub();
sendFrames(send);
const holds = monitorEventLoopDelay({ resolution: 1 });
let watching: { readonly end: AbortController; readonly done: Promise<readonly [number[], unknown]> } | undefined;
process.on('message', (message: ToGateway) => {
  switch (message.type) {
    case 'perform':
      performOnce(message.work).then((performed) => process.send?.(performed), onFault);
      return;
    case 'begin':
      begin(message.work);
      return;
    case 'end':
      end().then((watched) => process.send?.(watched), onFault);
      return;
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready', port } satisfies GatewayReady);

function begin(work: Work | undefined): void {
  const controller = new AbortController();
  const { signal } = controller;
  holds.enable();
  holds.reset();
  const working = work === undefined ? Promise.resolve() : overAndOver(work, signal);
  watching = { end: controller, done: Promise.all([storePositions(signal), working]) };
}

async function end(): Promise<Watched> {
  if (watching === undefined) throw new Error('nothing is watched');
  holds.disable();
  watching.end.abort();
  const [commitsMs] = await watching.done;
  return { type: 'watched', longestMs: holds.max / 1e6, commitsMs };
}

async function storePositions(signal: AbortSignal): Promise<number[]> {
  const commitsMs: number[] = [];
  for (let round = 0; !signal.aborted; round++) {
    const sentMs = performance.now();
    await positions.append(positionsNow(vehicles, round));
    commitsMs.push(performance.now() - sentMs);
    await delay(STEP_MS);
  }
  return commitsMs;
}

async function overAndOver(work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await perform(work, { signal, onProgress: () => undefined }, join(folder, 'watched.fgb'));
}

async function performOnce(work: Work): Promise<Performed> {
  const beforeBytes = process.memoryUsage.rss();
  let mostBytes = beforeBytes;
  const timer = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  }, MEMORY_MS);
  const startedMs = performance.now();
  const made = await perform(work, { signal: new AbortController().signal, onProgress: () => undefined }, archive);
  const ms = performance.now() - startedMs;
  clearInterval(timer);
  return { type: 'performed', ms, ...made, growthBytes: mostBytes - beforeBytes };
}

/** What it makes is removed but for the archive at `path`. */
async function perform(work: Work, options: BackupRunOptions, path: string) {
  const made = join(folder, 'test');
  const id = newRestoreId();
  const outcome = await run(work, { path, options, made, id });
  await rm(made, { recursive: true, force: true });
  for (const suffix of ['', '-wal', '-shm']) await rm(`${made}${suffix}`, { force: true });
  await rm(join(folder, restorePath(id)), { recursive: true, force: true });
  if (!outcome.ok && outcome.fault !== 'canceled') throw new Error(`${outcome.fault}: ${outcome.detail}`);
  const manifest = outcome.ok ? outcome.manifest : undefined;
  const rows = manifest?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0;
  return { rows, bytes: outcome.ok && 'bytes' in outcome ? outcome.bytes : 0 };
}

interface Running {
  readonly path: string;
  readonly options: BackupRunOptions;
  readonly made: string;
  readonly id: string;
}

function run(work: Work, { path, options, made, id }: Running) {
  switch (work) {
    case 'write': {
      const about = { productVersion: '1.0.0', createdAtMs: Date.now(), note: '' };
      const contents = { history: HISTORY_PARTS, files: [], key, maxLogBytes: MAX_LOG_BYTES };
      return threads.write({ database: location, path, ...about, ...contents }, options);
    }
    case 'load':
      return threads.load({ path: archive, key, database: { engine: 'sqlite', file: made } }, options);
    case 'build':
      return threads.build(
        { path: archive, key, id, dataDir: folder, database: location, choices: DEFAULT_CHOICES },
        options,
      );
  }
}
