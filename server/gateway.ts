// Builds the gateway's parts and ties them together. The only module that knows all of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { createLinkAccess } from './auth/linkAccess.ts';
import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config/variables.ts';
import { createApp } from './http/app.ts';
import { createServerInfoReader } from './http/system/serverInfo.ts';
import type { Log } from './log.ts';
import { findProjectRoot, readVersion } from './projectRoot.ts';
import { type DatabaseLocation, openDatabase } from './store/database.ts';
import { createStores, type Stores } from './store/stores.ts';
import { createDeviceDirectory, serveStreams, startVideo } from './video.ts';

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
  const projectRoot = findProjectRoot();
  mkdirSync(config.dataDir, { recursive: true });

  const database = await openDatabase(locate(config), (error) => log.warn({ err: error }, 'database connection lost'));
  closing.add('database', database.close);
  const stores = createStores(database.db);

  const video = await startVideo(config, { stores, log, closing });
  const linkAccess = createLinkAccess({ ...stores, now });
  const app = await createApp({
    config,
    log,
    serverInfo: createServerInfoReader(stores.settings, config, readVersion(projectRoot)),
    linkAccess,
    directory: createDeviceDirectory(stores, video.devices),
    webRoot: join(projectRoot, 'dist/web'),
    localesRoot: join(projectRoot, 'public/locales'),
  });
  closing.add('http', () => app.close());
  serveStreams(app, config, { hub: video.hub, linkAccess, log, closing });
  await app.listen({ host: config.host, port: config.port });

  return {
    address: addressOf(config, app.server.address()),
    jt808Port: video.devices.jt808Port,
    stores,
    close: closing.close,
  };
}

function locate(config: Config): DatabaseLocation {
  return config.databaseUrl === undefined
    ? { engine: 'sqlite', file: join(config.dataDir, 'fleetglass.db') }
    : { engine: 'postgres', url: config.databaseUrl };
}

function addressOf(config: Config, bound: ReturnType<import('node:net').Server['address']>): string {
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}
