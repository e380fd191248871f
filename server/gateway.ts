// Builds the gateway's parts and ties them together. The only module that knows all of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { after } from './after.ts';
import { createLinkAccess } from './auth/linkAccess.ts';
import { LinkUses } from './auth/linkUses.ts';
import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config/variables.ts';
import { type Fleet, figureSources, routeUpgrades, serveUpdates, startFleet } from './fleet.ts';
import { createMetrics } from './http/health/metrics.ts';
import { createWebServer, listen } from './http/webServer.ts';
import { createLimitMetric } from './limits/metrics.ts';
import type { Log } from './log.ts';
import { findProjectRoot } from './projectRoot.ts';
import { createGroupLibrary, presetPolicy, startPlayback, startRecording } from './recordings.ts';
import { type DatabaseLocation, openDatabase } from './store/database.ts';
import type { Position } from './store/positions.ts';
import { createStores, type Stores } from './store/stores.ts';
import { createDeviceDirectory, createTerminalPort, serveStreams, startVideo } from './video.ts';

export interface GatewayOptions {
  readonly log: Log;
}

export interface Gateway {
  /** Where browsers reach it, such as http://localhost:8080. */
  readonly address: string;
  /** Where terminals sign in; the port that the system chose when the configuration says 0. */
  readonly jt808Port: number;
  readonly stores: Stores;
  close(): Promise<void>;
}

/** Starts everything; what was started before a failure is closed again. */
export async function startGateway(config: Config, { log }: GatewayOptions): Promise<Gateway> {
  const closing = createClosing((part, error) => log.error({ err: error, part }, 'closing failed'));
  try {
    return await start(config, log, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function start(config: Config, log: Log, closing: Closing): Promise<Gateway> {
  const now = (): WallMs => wallMs(Date.now());
  // It will hold hashes, keys and recordings: nobody else's to read.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });

  const database = await openDatabase(locateDatabase(config), (error) =>
    log.warn({ err: error }, 'database connection lost'),
  );
  closing.add('database', database.close);
  const stores = createStores(database.db);

  const metrics = createMetrics();
  const onLimit = createLimitMetric(metrics);
  let fleet: Fleet | undefined;
  // Terminals report to the fleet, which reads from the device side who is there.
  const onPosition = (position: Position, isLive: boolean): void => fleet?.watch.report(position, isLive);
  const video = await startVideo(config, { stores, log, closing, onPosition, onLimit, metrics });
  fleet = await startFleet({ stores, registry: video.devices.registry, log, closing });
  const linkAccess = createLinkAccess({ ...stores, now });
  const linkUses = startLinkUses(stores, { log, closing });
  const directory = createDeviceDirectory(stores, video.devices);
  const recorder = startRecording(config, {
    stores,
    hub: video.hub,
    registry: video.devices.registry,
    metrics,
    log,
    closing,
  });
  const library = createGroupLibrary(config, recorder.index);
  const parts = {
    db: database.db,
    metrics,
    recorded: recorder.index,
    library,
    stores,
    linkAccess,
    linkUses,
    directory,
    terminals: createTerminalPort(video),
    recordingPreset: presetPolicy(config),
    removeRecordings: () => recorder.removeSoon(),
    remotePlayback: video.remotePlayback,
    deviceRecordings: video.devices.recordings,
    log,
    now,
    closing,
    projectRoot: findProjectRoot(),
    figures: figureSources(config, { fleet, stores, recorder, hub: video.hub }),
    onChanged: fleet.tellChanged,
    onLimit,
  };
  const web = await createWebServer(config, parts);
  const playbackSessions = startPlayback(library, { log, closing });
  routeUpgrades(web.fastify, [
    serveStreams(config, { video, stores, playbackSessions, linkAccess, linkUses, log, closing, onLimit }),
    serveUpdates(config, { fleet, sessions: web.sessions, log, closing, onLimit }),
  ]);

  return {
    address: await listen(web, config, closing),
    jt808Port: video.devices.jt808Port,
    stores,
    close: closing.close,
  };
}

function startLinkUses(stores: Stores, { log, closing }: { readonly log: Log; readonly closing: Closing }): LinkUses {
  const linkUses = new LinkUses({
    ...stores,
    now: () => wallMs(Date.now()),
    after,
    onFault: (error) => log.warn({ err: error }, 'links'),
  });
  closing.add('uses of links', () => linkUses.close());
  return linkUses;
}

export function locateDatabase(config: Config): DatabaseLocation {
  return config.databaseUrl === undefined
    ? { engine: 'sqlite', file: join(config.dataDir, 'fleetglass.db') }
    : { engine: 'postgres', url: config.databaseUrl };
}
