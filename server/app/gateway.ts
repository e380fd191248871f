// Builds the gateway's parts and ties them together. The only module that knows all of them.

import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { createLinkAccess } from '../auth/linkAccess.ts';
import { LinkUses } from '../auth/linkUses.ts';
import { createSecretBox, loadOrMakeKey, type SecretBox } from '../auth/secretBox.ts';
import type { RestoresOfHost } from '../backup/restore/confirmedRestore.ts';
import type { BackupThreads } from '../backup/thread/backupThread.ts';
import { type ChangeBus, createChangeBus, followRecords } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import { keepAttributes } from '../device/keptAttributes.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import { DeviceRegistry } from '../device/registry.ts';
import { ReportFeed } from '../device/reportFeed.ts';
import type { OnFault } from '../faults/onFault.ts';
import { createRunAfter } from '../faults/timers.ts';
import { createThreadMeters, type ThreadMeters } from '../health/threads/threadMeters.ts';
import { createClientAddress } from '../http/kernel/clientAddress.ts';
import { isAllowedOrigin } from '../http/kernel/origin.ts';
import { UpgradeServer } from '../http/kernel/upgrades/upgradeServer.ts';
import { createMetrics } from '../http/system/metrics.ts';
import { createServerInfoReader } from '../http/system/serverInfo.ts';
import { licenseExpiresMs } from '../http/system/serverSettings.ts';
import { installationPath } from '../installation.ts';
import type { OnLimit } from '../limits/limit.ts';
import { createLimitMetric } from '../limits/metrics.ts';
import { type Closing, createClosing } from '../process/closing.ts';
import type { Log, ProcessLog } from '../process/log.ts';
import { openDataFolder } from '../process/privateFiles.ts';
import { findProjectRoot, readVersion } from '../process/projectRoot.ts';
import type { Disk } from '../recording/disk.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type DatabaseLocation, openDatabase, type StoreDb } from '../store/engine/database.ts';
import type { OnDamagedBlock } from '../store/fleet/blocks/damagedBlocks.ts';
import { createStores, type Stores } from '../store/stores.ts';
import { type Events, forCalls, startEvents } from './events.ts';
import { startFenceAdmin } from './fences/admin.ts';
import { type Fleet, figureSources, serveUpdates, startFleet } from './fleet.ts';
import { type HealthDeps, startHealth, type WebSide } from './health.ts';
import { startImports } from './imports/imports.ts';
import { startInstallation } from './installation/installation.ts';
import { watchLicense } from './licenseWatch.ts';
import { type Netflow, startNetflow } from './netflow/netflow.ts';
import { prepareNotify } from './notify/notify.ts';
import { createDamageReport, startPositions } from './positions.ts';
import { createGopReader, createRecorder, presetPolicy, startPlayback, startRecording } from './recordings.ts';
import { startReports } from './reports/reports.ts';
import type { StandIn } from './standIn.ts';
import { raiseRefused, raiseStarted, watchDisk } from './systemEvents.ts';
import { startTracks } from './tracks/tracks.ts';
import { startUpkeep, type Upkeep } from './upkeep.ts';
import {
  createDeviceDirectory,
  createOrders,
  createTerminalPort,
  type DirectoryDeps,
  serveStreams,
  startVideo,
  type Video,
} from './video.ts';
import {
  createWebServer,
  type Listening,
  listen,
  servesTls,
  type WebServer,
  type WebServerDeps,
  webPortOf,
} from './webServer.ts';

export interface GatewayOptions {
  readonly log: Log;
  /** The newest log lines, for the support bundle. */
  readonly recentLog?: ProcessLog['recent'] | undefined;
  /** The restores of the process; left out: it can't start another gateway. */
  readonly restores?: RestoresOfHost | undefined;
  /** Where the parts' metrics are registered. */
  readonly metrics?: Registry;
  /** Called when a resource is lost that only a restart can open again. */
  readonly onLost?: OnFault;
  /** Left out: threads that wait for all other work of the machine. */
  readonly backupThreads?: BackupThreads | undefined;
  /** Answers browsers before this gateway does, and after it no longer does. Left out: nobody does. */
  readonly standIn?: StandIn | undefined;
  /** Another disk and a later day, for tests. */
  readonly health?: Pick<HealthDeps, 'spaceOf' | 'nodeVersion' | 'now' | 'lookEveryMs'>;
}

export interface Gateway {
  /** Where browsers reach the gateway, such as http://localhost:8080. */
  readonly address: string;
  /** Port where terminals sign in; chosen by the system when the configuration says 0. */
  readonly jt808Port: number;
  readonly stores: Stores;
  close(): Promise<void>;
}

/** Starts everything; what was started before a failure is closed again. */
export async function startGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const { log } = options;
  const closing = createClosing((part, error) => log.error({ err: error, part }, 'closing failed'));
  try {
    return await start(config, options, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

const now = (): WallMs => wallMs(Date.now());

async function start(config: Config, options: GatewayOptions, closing: Closing): Promise<Gateway> {
  const common = await openStores(config, options, closing);
  const { stores, log, onLimit } = common;
  const registry = new DeviceRegistry(Date.now);
  const feed = startFeed(common);
  const site = siteOf(config, stores);
  // Started before the device side, so that they get the first report and, when everything closes, the last.
  const fleet = await startFleet({ ...common, ...site, registry, feed });
  const positions = startPositions(config, { ...common, feed });
  const orders = createOrders({ ...common, registry });
  const notify = await prepareNotify(config, { ...common, ...site, now });
  const recorder = createRecorder(config, { ...common, registry });
  const eventDeps = { ...common, ...eventSources(fleet), feed, registry, orders, notify, recorder };
  const events = await startEvents(config, eventDeps);
  const tracks = await startTracks(config, { ...common, feed, board: fleet.watch.board });
  const fences = await startFenceAdmin({ ...common, orders, registry });
  const netflow = await startNetflow(config, { ...common, engine: events.engine });
  const deviceSide = { registry, feed, orders, owners: fleet.owners, evidence: events.evidence, netflow };
  const video = await startVideo(config, { ...common, ...deviceSide, onRefused: tellRefused(events) });
  closing.add('end of presence', () => positions.presence.stop());
  const links = startLinks(common);
  startRecording(recorder, { ...common, hub: video.hub, plans: netflow.plans });
  startOwnEvents(config, events, { ...common, disk: recorder.disk });
  await notify.deliver(events);
  const reports = await startReports(config, { ...common, ...site, senders: notify.senders });
  const devices = { registry, feed, fleet, events, video, recorder, netflow };
  const upkeep = await startUpkeep(config, { ...common, ...devices, webPort: () => webPortOf(web, config) });
  const installation = await startInstallation(config, { ...common, ...options, ...site, events, now });
  const gopReader = createGopReader(config, recorder.index, onLimit);
  const sockets: Partial<Listening> = {};
  const webSide = (): WebSide => ({ server: web.fastify.server, redirect: sockets.redirect, tls: web.tls });
  const healthParts = healthPartsOf({ orders, video, events, upkeep }, options);
  const health = startHealth(config, { ...common, ...healthParts, web: webSide, sources: [installation.health] });
  const upgrades = createUpgrades(config, log, onLimit);
  const web: WebServer = await createWebServer(config, {
    ...common,
    recorded: recorder.index,
    gopReader,
    ...links,
    ...videoForCalls(video, stores, { ...netflow, board: fleet.watch.board }),
    orders,
    ...recordingForCalls(config, recorder),
    ...forCalls(events, fleet),
    ...notify.forCalls,
    ...fences.forCalls,
    ...upkeep.forCalls,
    ...netflow.forCalls,
    trackReader: tracks.reader,
    importReader: startImports(common),
    ...installation.forCalls(health),
    reports,
    now,
    ...site,
    figures: figureSources(config, { fleet, stores, recorder, hub: video.hub }),
    requestClass: upgrades.requestClass,
  });
  const playbackSessions = startPlayback(gopReader, common);
  serveStreams({ ...common, ...links, plans: netflow.plans, video, playbackSessions, upgrades });
  serveUpdates(config, { ...common, fleet, sessions: web.sessions, upgrades });
  const { address } = Object.assign(sockets, await openSockets(config, { ...common, web, upgrades }));
  return { address, jt808Port: video.devices.jt808Port, stores, close: closing.close };
}

/** The parts that listen, work and wait, besides the database. */
function healthPartsOf(
  { orders, video, events, upkeep }: HealthParts,
  { health }: GatewayOptions,
): Omit<HealthDeps, keyof Common | 'web'> {
  return { ...health, orders, devices: video.devices, engine: events.engine, ftp: upkeep.ftp, sync: upkeep.sync };
}

interface HealthParts {
  readonly orders: DeviceOrders;
  readonly video: Video;
  readonly events: Events;
  readonly upkeep: Upkeep;
}

function videoForCalls(video: Video, stores: Stores, deps: Pick<Netflow, 'plans'> & Pick<DirectoryDeps, 'board'>) {
  const { registry } = video.devices;
  return {
    directory: createDeviceDirectory(stores, { ...deps, registry }),
    terminals: createTerminalPort(video),
    alarmLimits: video.alarmLimits,
    remotePlayback: video.remotePlayback,
    deviceRecordings: video.devices.recordings,
  };
}

function recordingForCalls(
  config: Config,
  recorder: Recorder,
): Pick<WebServerDeps, 'recordingPreset' | 'recordingStates'> {
  return { recordingPreset: presetPolicy(config), recordingStates: () => recorder.channelStates() };
}

function startFeed({ stores, log, closing }: Pick<Common, 'stores' | 'log' | 'closing'>): ReportFeed {
  const feed = new ReportFeed((error) => log.error({ err: error }, 'reports'));
  closing.add('feed of attributes', feed.subscribe('attributes', keepAttributes(stores.terminalAttributes)));
  return feed;
}

interface OpenedSockets {
  readonly web: WebServer;
  readonly upgrades: UpgradeServer;
}

/** Opened last and closed first: what serves the sockets still exists while they close. */
async function openSockets(
  config: Config,
  { web, upgrades, standIn, ...common }: Pick<Common, 'log' | 'closing' | 'onLimit' | 'standIn'> & OpenedSockets,
): Promise<Listening> {
  const { log, closing, onLimit } = common;
  upgrades.listenOn(web.fastify.server);
  closing.add('upgrades', () => upgrades.close());
  await standIn?.leave();
  return listen(web, config, { log, closing, onLimit });
}

/** The installation's title, and where its files are. */
function siteOf(config: Config, { settings }: Pick<Stores, 'settings'>) {
  const projectRoot = findProjectRoot();
  const serverInfo = createServerInfoReader(settings, config, readVersion(projectRoot));
  const siteTitle = async (): Promise<string> => (await serverInfo.read(false)).web_title ?? '';
  const localesRoot = join(projectRoot, 'public/locales');
  return { projectRoot, localesRoot, serverInfo, serverPresets: config, siteTitle };
}

/** The parts of the fleet that events read and notify. */
function eventSources({ watch, owners, events }: Fleet) {
  return { board: watch.board, owners, live: events };
}

/** Starts the gateway's own events, including the one of its start. */
function startOwnEvents(
  config: Config,
  { engine }: Events,
  { stores, bus, log, closing, disk }: Common & { readonly disk: Disk },
): void {
  watchDisk(engine, disk);
  raiseStarted(engine);
  const onFault = (error: Error): void => log.error({ err: error }, 'license');
  const expiresMs = async () => licenseExpiresMs(await stores.settings.getAll(), config);
  const { settings } = stores;
  const watch = watchLicense({
    engine,
    expiresMs,
    settings,
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('license', () => watch.close());
  followRecords(bus, 'license', ['setting'], () => watch.workSoon());
}

function tellRefused({ engine }: Pick<Events, 'engine'>): Parameters<typeof startVideo>[1]['onRefused'] {
  return (terminal) => raiseRefused(engine, terminal);
}

/** Dependencies that nearly every part needs. */
interface Common {
  /** Threads open the database by themselves. */
  readonly database: DatabaseLocation;
  readonly meters: ThreadMeters;
  readonly db: StoreDb;
  readonly stores: Stores;
  readonly onDamagedBlock: OnDamagedBlock;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly bus: ChangeBus;
  readonly onLimit: OnLimit;
  /** Seals the secrets that the database stores. */
  readonly secretBox: SecretBox;
  readonly standIn: StandIn | undefined;
}

async function openStores(config: Config, options: GatewayOptions, closing: Closing): Promise<Common> {
  const { log, metrics = createMetrics(), standIn } = options;
  openDataFolder(config.dataDir);
  const onFault = (error: Error): void => log.warn({ err: error }, 'database connection lost');
  const onLost = options.onLost ?? ((error) => log.error({ err: error }, 'the database is lost'));
  const database = locateDatabase(config);
  const meters = createThreadMeters(() => performance.now());
  const threads = { writer: meters.databaseWriter, reader: meters.databaseReader };
  const { db, reading, close } = await openDatabase(database, { onFault, onLost, threads });
  closing.add('database', close);
  const onLimit = createLimitMetric(metrics);
  const secretBox = createSecretBox(loadOrMakeKey(installationPath(config, 'sealingKey')));
  const onDamagedBlock = createDamageReport(metrics, log);
  const stores = createStores(db, onLimit, reading, onDamagedBlock);
  const bus = createChangeBus((error) => log.error({ err: error }, 'changes'));
  return { database, meters, db, stores, bus, onDamagedBlock, metrics, log, closing, onLimit, secretBox, standIn };
}

function createUpgrades(config: Config, log: Log, onLimit: OnLimit): UpgradeServer {
  const secure = servesTls(config);
  const onFault = (error: Error): void => log.error({ err: error }, 'upgrades');
  return new UpgradeServer({
    isAllowedOrigin: ({ headers }) => isAllowedOrigin(headers, secure),
    clientAddress: createClientAddress(config.trustedProxies),
    runAfter: createRunAfter(onFault),
    onLimit,
    onFault,
  });
}

function startLinks({ stores, log, closing }: Common) {
  const onFault = (error: Error): void => log.warn({ err: error }, 'links');
  const linkUses = new LinkUses({
    ...stores,
    now: () => wallMs(Date.now()),
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('uses of links', () => linkUses.close());
  return { linkAccess: createLinkAccess({ ...stores, now }), linkUses };
}

export function locateDatabase(config: Config): DatabaseLocation {
  return config.databaseUrl === undefined
    ? { engine: 'sqlite', file: installationPath(config, 'database') }
    : { engine: 'postgres', url: config.databaseUrl };
}
