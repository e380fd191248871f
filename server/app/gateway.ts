// Builds the gateway's parts and ties them together. The only module that knows all of them.

import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { createLinkAccess } from '../auth/linkAccess.ts';
import { LinkUses } from '../auth/linkUses.ts';
import { createSecretBox, loadOrMakeKey } from '../auth/secretBox.ts';
import type { RestoresOfHost } from '../backup/restore/confirmedRestore.ts';
import type { BackupThreads } from '../backup/thread/backupThread.ts';
import { createChangeBus, followRecords } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import { keepAttributes } from '../device/keptAttributes.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import { DeviceRegistry } from '../device/registry.ts';
import { ReportFeed } from '../device/reportFeed.ts';
import type { OnFault } from '../faults/onFault.ts';
import { createRunAfter } from '../faults/timers.ts';
import { createThreadMeters } from '../health/threads/threadMeters.ts';
import { createClientAddress } from '../http/kernel/clientAddress.ts';
import { isAllowedOrigin } from '../http/kernel/origin.ts';
import { UpgradeServer } from '../http/kernel/upgrades/upgradeServer.ts';
import { createMetrics } from '../http/system/metrics.ts';
import { createServerInfoReader } from '../http/system/serverInfo.ts';
import { licenseExpiresMs } from '../http/system/serverSettings.ts';
import { installationPath } from '../installation.ts';
import { createLimitMetric } from '../limits/metrics.ts';
import { type Closing, createClosing } from '../process/closing.ts';
import type { Log, ProcessLog } from '../process/log.ts';
import { openDataFolder } from '../process/privateFiles.ts';
import { findProjectRoot, readVersion } from '../process/projectRoot.ts';
import type { Disk } from '../recording/disk.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type DatabaseLocation, openDatabase, type StoreDb } from '../store/engine/database.ts';
import { createStores, type Stores } from '../store/stores.ts';
import { type Context, toolsOf } from './context.ts';
import { type Events, forCalls, startEvents } from './events.ts';
import { startFenceAdmin } from './fences/admin.ts';
import { figureSources, serveUpdates, startFleet } from './fleet.ts';
import { type HealthParts, startHealth } from './health.ts';
import { startImports } from './imports/imports.ts';
import { type Installation, startInstallation } from './installation/installation.ts';
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
  WebSide,
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
  readonly health?: Pick<HealthParts, 'spaceOf' | 'nodeVersion' | 'now' | 'lookEveryMs'>;
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
  const { context, ...opened } = await openStores(config, options, closing);
  const { stores } = context;
  const registry = new DeviceRegistry(Date.now);
  const site = siteOf(config, stores);
  const web = new WebSide();
  // Started before the device side, so that they get the first report and, when everything closes, the last.
  keepReportedAttributes(context);
  const fleet = await startFleet(context, { serverInfo: site.serverInfo, registry });
  const { board } = fleet.watch;
  const positions = startPositions(context);
  const orders = createOrders(context, registry);
  const notify = await prepareNotify(context, { ...site, now });
  const recorder = createRecorder(context, registry);
  const events = await startEvents(context, { fleet, registry, orders, notify, recorder });
  const { engine, evidence } = events;
  const tracks = await startTracks(context, { board });
  const fences = await startFenceAdmin(context, { orders, registry });
  const netflow = await startNetflow(context, { engine });
  const onRefused = tellRefused(events);
  const video = await startVideo(context, { registry, orders, owners: fleet.owners, evidence, netflow, onRefused });
  closing.add('end of presence', () => positions.presence.stop());
  const links = startLinks(context);
  startRecording(context, { recorder, hub: video.hub, plans: netflow.plans });
  startOwnEvents(context, events, recorder.disk);
  await notify.deliver(events);
  const reports = await startReports(context, { localesRoot: site.localesRoot, senders: notify.senders });
  const upkeep = await startUpkeep(context, { registry, fleet, events, video, recorder, netflow, web });
  const installation = await startInstallation(config, { ...context, ...options, ...site, events, now });
  const gopReader = createGopReader(context, recorder.index);
  const watched = { orders, video, events, upkeep, installation, web };
  const health = startHealth(context, healthPartsOf(watched, options));
  const upgrades = createUpgrades(context);
  const server = await createWebServer(config, {
    ...opened,
    ...context,
    recorded: recorder.index,
    gopReader,
    ...links,
    ...videoForCalls(video, stores, { plans: netflow.plans, board }),
    orders,
    ...recordingForCalls(config, recorder),
    ...forCalls(events, fleet),
    ...notify.forCalls,
    ...fences.forCalls,
    ...upkeep.forCalls,
    ...netflow.forCalls,
    trackReader: tracks.reader,
    importReader: startImports(context),
    ...installation.forCalls(health),
    reports,
    now,
    ...site,
    figures: figureSources(config, { fleet, stores, recorder, hub: video.hub }),
    requestClass: upgrades.requestClass,
  });
  web.made(server);
  const playbackSessions = startPlayback(context, gopReader);
  serveStreams(context, { ...links, plans: netflow.plans, video, playbackSessions, upgrades });
  serveUpdates(context, { fleet, sessions: server.sessions, upgrades });
  const { address, redirect } = await openSockets(context, { server, upgrades, standIn: options.standIn });
  web.opened(redirect);
  return { address, jt808Port: video.devices.jt808Port, stores, close: closing.close };
}

/** The parts that listen, work and wait, besides the database. */
function healthPartsOf(parts: WatchedParts, { health }: GatewayOptions): HealthParts {
  const { orders, video, events, upkeep, installation, web } = parts;
  return {
    ...health,
    web,
    devices: video.devices,
    orders,
    engine: events.engine,
    ftp: upkeep.ftp,
    sync: upkeep.sync,
    sources: [installation.health],
  };
}

interface WatchedParts {
  readonly orders: DeviceOrders;
  readonly video: Video;
  readonly events: Events;
  readonly upkeep: Upkeep;
  readonly installation: Pick<Installation, 'health'>;
  readonly web: WebSide;
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

/** The first to follow reports. */
function keepReportedAttributes({ stores, feed, closing }: Context): void {
  closing.add('feed of attributes', feed.subscribe('attributes', keepAttributes(stores.terminalAttributes)));
}

interface OpeningParts {
  readonly server: WebServer;
  readonly upgrades: UpgradeServer;
  readonly standIn: StandIn | undefined;
}

/** Opened last and closed first: what serves the sockets still exists while they close. */
async function openSockets(context: Context, { server, upgrades, standIn }: OpeningParts): Promise<Listening> {
  upgrades.listenOn(server.fastify.server);
  context.closing.add('upgrades', () => upgrades.close());
  await standIn?.leave();
  return listen(server, context.config, context);
}

/** The installation's title, and where its files are. */
function siteOf(config: Config, { settings }: Pick<Stores, 'settings'>) {
  const projectRoot = findProjectRoot();
  const serverInfo = createServerInfoReader(settings, config, readVersion(projectRoot));
  const siteTitle = async (): Promise<string> => (await serverInfo.read(false)).web_title ?? '';
  const localesRoot = join(projectRoot, 'public/locales');
  return { projectRoot, localesRoot, serverInfo, serverPresets: config, siteTitle };
}

/** Starts the gateway's own events, including the one of its start. */
function startOwnEvents(context: Context, { engine }: Events, disk: Disk): void {
  const { config, stores, bus, closing } = context;
  watchDisk(engine, disk);
  raiseStarted(engine);
  const { settings } = stores;
  const expiresMs = async () => licenseExpiresMs(await settings.getAll(), config);
  const watch = watchLicense({ engine, expiresMs, settings, now: Date.now, ...toolsOf(context, 'license') });
  closing.add('license', () => watch.close());
  followRecords(bus, 'license', ['setting'], () => watch.workSoon());
}

function tellRefused({ engine }: Pick<Events, 'engine'>): Parameters<typeof startVideo>[1]['onRefused'] {
  return (terminal) => raiseRefused(engine, terminal);
}

interface Opened {
  readonly context: Context;
  readonly db: StoreDb;
  readonly standIn: StandIn | undefined;
}

async function openStores(config: Config, options: GatewayOptions, closing: Closing): Promise<Opened> {
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
  const feed = new ReportFeed((error) => log.error({ err: error }, 'reports'));
  return {
    db,
    standIn,
    context: {
      config,
      stores,
      database,
      meters,
      onDamagedBlock,
      secretBox,
      bus,
      feed,
      metrics,
      log,
      closing,
      onLimit,
    },
  };
}

function createUpgrades(context: Context): UpgradeServer {
  const { config, onLimit } = context;
  const secure = servesTls(config);
  const { runAfter, onFault } = toolsOf(context, 'upgrades');
  return new UpgradeServer({
    isAllowedOrigin: ({ headers }) => isAllowedOrigin(headers, secure),
    clientAddress: createClientAddress(config.trustedProxies),
    runAfter,
    onLimit,
    onFault,
  });
}

function startLinks({ stores, log, closing }: Context) {
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
