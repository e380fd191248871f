// Runs the health checks of the installation: where each check's numbers come from, and what reports a problem.
import { X509Certificate } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { HEALTH_EVENTS } from '../../shared/protocol/health/healthEvents.ts';
import type { HealthKind } from '../../shared/protocol/health/healthWords.ts';
import type { Config } from '../config/variables.ts';
import type { DeviceGateway } from '../device/deviceGateway.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import type { EventEngine } from '../events/engine/eventEngine.ts';
import type { FtpServer } from '../ftp/ftpServer.ts';
import { HealthReader } from '../health/healthReader.ts';
import type { HealthSource } from '../health/healthSource.ts';
import { HealthWatch } from '../health/healthWatch.ts';
import type { ServedCertificate } from '../health/rules/certificateRule.ts';
import { EMBEDDED_ROWS, SERVER_ROWS } from '../health/rules/tableRule.ts';
import { createCertificateSource } from '../health/sources/certificateSource.ts';
import { type CheckedFolder, DiskSource, type FolderSpace } from '../health/sources/diskSource.ts';
import { createPortSource, type NamedPort } from '../health/sources/portSource.ts';
import { createQueueSource, type QueueReaders } from '../health/sources/queueSource.ts';
import { createRuntimeSource } from '../health/sources/runtimeSource.ts';
import { createTableSource } from '../health/sources/tableSource.ts';
import { createThreadSource, type WatchedThread } from '../health/sources/threadSource.ts';
import { LoopMeter } from '../health/threads/loopMeter.ts';
import { installationPath } from '../installation.ts';
import { type Context, toolsOf } from './context.ts';
import { recordingFolder } from './recordings.ts';
import type { Sync } from './sync/sync.ts';
import type { WebSide } from './webServer.ts';

export interface HealthParts {
  readonly web: Pick<WebSide, 'port' | 'isListening' | 'redirect' | 'tls'>;
  readonly devices: Pick<DeviceGateway, 'listeners' | 'positions'>;
  readonly ftp: Pick<FtpServer, 'port' | 'isListening' | 'passiveRange'>;
  readonly orders: Pick<DeviceOrders, 'openCount'>;
  readonly sync: Pick<Sync, 'waitingDevices'>;
  readonly engine: Pick<EventEngine, 'raise' | 'waitingCount'>;
  /** Sources of other parts, such as the backup's. */
  readonly sources?: readonly HealthSource[];
  /** For tests: another disk, another Node, a later day, and no minute between two checks. */
  readonly spaceOf?: (path: string) => Promise<FolderSpace>;
  readonly nodeVersion?: string;
  readonly now?: () => number;
  readonly lookEveryMs?: number;
}

const MEGABYTE = 1024 * 1024;

/** Runs once everything else has started: the main thread's work during a start is not a pause that anybody waited for. */
export function startHealth(context: Context, parts: HealthParts): HealthReader {
  const { config, stores, closing } = context;
  const { engine, now = Date.now, sources = [] } = parts;
  const timing = toolsOf(context, 'health');
  const loop = new LoopMeter({ ...timing, now: () => performance.now() });
  closing.add('meter of the main thread', () => loop.close());
  const disks = new DiskSource({ ...timing, ...disksOf(context, parts), now });
  closing.add('samples of disks', () => disks.close());
  const reader = new HealthReader({
    ...timing,
    now,
    sources: [
      createPortSource({ ports: () => portsOf(config, parts), passiveRange: () => parts.ftp.passiveRange }),
      createCertificateSource(() => certificateOf(config, parts.web), now),
      disks,
      createTableSource({ store: stores.tableSizes, mostRows: mostRowsOf(context), now }),
      createQueueSource(queuesOf(context, parts, now)),
      createThreadSource(threadsOf(context, loop)),
      createRuntimeSource(parts.nodeVersion ?? process.versions.node, now),
      ...sources,
    ],
  });
  const tell = (kind: HealthKind, isProblem: boolean): void => {
    if (kind !== 'runtime') engine.raise({ type: HEALTH_EVENTS[kind], form: isProblem ? 'begin' : 'end' });
  };
  const watch = new HealthWatch({ ...timing, reader, tell, lookEveryMs: parts.lookEveryMs });
  closing.add('health', () => watch.close());
  return reader;
}

function portsOf(config: Config, { web, devices, ftp }: HealthParts): readonly NamedPort[] {
  const { redirect } = web;
  return [
    { name: 'web', port: web.port(config), isListening: web.isListening },
    ...(redirect === undefined ? [] : [{ name: 'redirect', port: redirect.port, isListening: redirect.isListening }]),
    ...devices.listeners(),
    { name: 'ftp', port: ftp.port, isListening: ftp.isListening },
  ];
}

function certificateOf({ tlsCert }: Config, { tls }: Pick<WebSide, 'tls'>): ServedCertificate | null {
  if (tls === undefined) return null;
  return { expiresAtMs: Date.parse(new X509Certificate(tls.cert).validTo), isOwn: tlsCert === undefined };
}

function disksOf({ config, stores }: Context, { spaceOf = spaceOfFolder }: HealthParts) {
  const { dataDir, recordingMinFreeMb, backupDir } = config;
  const folders: readonly CheckedFolder[] = [
    { role: 'data', path: dataDir },
    { role: 'recordings', path: recordingFolder(config) },
    { role: 'reports', path: installationPath(config, 'reports') },
    // Otherwise the backups are in the data folder.
    ...(backupDir === undefined ? [] : [{ role: 'backups', path: backupDir }]),
  ];
  const bytes = async (): Promise<number> => (await stores.segments.totals()).bytes;
  const recordings = { path: recordingFolder(config), floorBytes: recordingMinFreeMb * MEGABYTE, bytes };
  return { folders, spaceOf, recordings };
}

async function spaceOfFolder(path: string): Promise<FolderSpace> {
  const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(path), stat(path)]);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, device: dev };
}

function mostRowsOf({ database: { engine } }: Context): number {
  return engine === 'sqlite' ? EMBEDDED_ROWS : SERVER_ROWS;
}

function queuesOf(
  { stores }: Context,
  { devices, orders, sync, engine }: HealthParts,
  now: () => number,
): QueueReaders {
  const ageOf = (sinceMs: number | undefined) => (sinceMs === undefined ? null : Math.max(0, now() - sinceMs));
  return {
    positions: () => ({
      waiting: devices.positions.waitingCount,
      oldestAgeMs: ageOf(devices.positions.waitingSinceMs),
    }),
    events: () => ({ waiting: engine.waitingCount, oldestAgeMs: null }),
    messages: async () => {
      const { count, sinceMs } = await stores.notifyQueue.overdue(now());
      return { waiting: count, oldestAgeMs: ageOf(sinceMs) };
    },
    commands: () => ({ waiting: orders.openCount, oldestAgeMs: null }),
    sync: () => ({ waiting: sync.waitingDevices(), oldestAgeMs: null }),
    reports: async () => {
      const jobs = await stores.reportJobs.queued();
      return { waiting: jobs.length, oldestAgeMs: ageOf(jobs[0]?.createdAtMs) };
    },
  };
}

function threadsOf({ database, meters }: Context, loop: LoopMeter): readonly WatchedThread[] {
  const thread = (name: WatchedThread['name'], meter: Pick<LoopMeter, 'longestMs'>): WatchedThread => ({
    name,
    longestMs: () => meter.longestMs(),
  });
  const embedded = [thread('database-writer', meters.databaseWriter), thread('database-reader', meters.databaseReader)];
  return [
    thread('main', loop),
    ...(database.engine === 'sqlite' ? embedded : []),
    thread('tracks', meters.tracks),
    thread('report-results', meters.reportResults),
  ];
}
