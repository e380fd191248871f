// Puts the HTTP side together for a gateway that runs: the app, what it checks callers with, and its sweeping.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { WallMs } from '../../shared/protocol/time.ts';
import { after } from '../after.ts';
import { createAccounts } from '../auth/accounts.ts';
import type { LinkAccess } from '../auth/linkAccess.ts';
import type { LinkUses } from '../auth/linkUses.ts';
import { createPasswords } from '../auth/passwords.ts';
import { createSecretBox, loadOrMakeKey } from '../auth/secretBox.ts';
import { createSessions, type Sessions } from '../auth/sessions.ts';
import { SignInThrottle } from '../auth/signInThrottle.ts';
import type { Closing } from '../closing.ts';
import type { Config } from '../config/variables.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Log } from '../log.ts';
import { readVersion } from '../projectRoot.ts';
import { ExportJobs } from '../recording/export/exportJobs.ts';
import type { GroupLibrary } from '../recording/playback/groupLibrary.ts';
import type { RecordedIndex } from '../recording/recordedIndex.ts';
import type { StoreDb } from '../store/database.ts';
import type { Stores } from '../store/stores.ts';
import { type App, createApp } from './app.ts';
import type { FiguresDeps } from './dashboard/figures.ts';
import type { DeviceDirectory } from './device/routes.ts';
import type { DeviceGroupDeps } from './devicegroup/deps.ts';
import type { RemotePlaybackDeps } from './playback/remoteRoutes.ts';
import { createServerInfoReader } from './system/serverInfo.ts';
import { loadTls } from './tls/loadTls.ts';
import { startRedirect } from './tls/redirect.ts';

export interface WebServerDeps
  extends Pick<RemotePlaybackDeps, 'remotePlayback' | 'deviceRecordings'>,
    Omit<DeviceGroupDeps, 'stores'> {
  readonly db: StoreDb;
  readonly stores: Stores;
  readonly linkAccess: LinkAccess;
  readonly linkUses: LinkUses;
  readonly directory: DeviceDirectory;
  readonly metrics: Registry;
  readonly recorded: RecordedIndex;
  readonly library: GroupLibrary;
  readonly log: Log;
  readonly now: () => WallMs;
  readonly projectRoot: string;
  readonly closing: Closing;
  readonly figures: Omit<FiguresDeps, 'serverInfo'>;
  readonly onChanged: (records: readonly string[]) => void;
  readonly onLimit: OnLimit;
}

export interface WebServer extends App {
  readonly sessions: Sessions;
}

/** Ended sessions are refused anyway; the sweep keeps them, and what strangers can have written, from piling up. */
const SWEEP_EVERY_MS = 10 * 60 * 1000;
/** Guessing leaves entries as fast as it is let; a flood of them must not fill the disk. */
const MAX_REFUSALS_KEPT = 100_000;
const READY_WITHIN_MS = 2_000;

/** The app, not listening yet. */
export async function createWebServer(config: Config, deps: WebServerDeps): Promise<WebServer> {
  const { db, stores, log, now, closing, projectRoot } = deps;
  const version = readVersion(projectRoot);
  const sessions = createSessions({ ...stores, now });
  const throttle = new SignInThrottle({ now, wait: (ms) => wait(ms, undefined, { ref: false }) });
  const box = createSecretBox(loadOrMakeKey(join(config.dataDir, 'second-factor.key')));
  const serverInfo = createServerInfoReader(stores.settings, config, version);
  const app = await createApp({
    ...deps,
    config,
    version,
    sessions,
    accounts: createAccounts({ stores, sessions, throttle, passwords: await createPasswords(), box, now }),
    serverInfo,
    figures: { ...deps.figures, serverInfo },
    exportJobs: startExports(closing, deps.onLimit),
    maxEvidenceBytes: config.evidenceMaxMb * MEGABYTE,
    checkReady: () => checkDatabase(db),
    tls: loadTls(config, now()),
    webRoot: join(projectRoot, 'dist/web'),
    localesRoot: join(projectRoot, 'public/locales'),
  });
  closing.add('http', () => app.fastify.close());
  closing.add(
    'sweep',
    startSweep(stores, now, (error) => log.error({ err: error }, 'sweep')),
  );
  return { ...app, sessions };
}

/** Downloads that run when the gateway stops are broken off before the server waits for them. */
function startExports(closing: Closing, onLimit: OnLimit): ExportJobs {
  const jobs = new ExportJobs({ now: Date.now, after, onLimit });
  closing.add('exports', async () => jobs.close());
  return jobs;
}

const MEGABYTE = 1024 * 1024;

/** Listens, and answers plain HTTP with a redirect when that is configured. Gives the address for browsers. */
export async function listen({ fastify }: App, config: Config, closing: Closing): Promise<string> {
  await fastify.listen({ host: config.host, port: config.port });
  const bound = fastify.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  if (config.httpPort !== undefined) {
    const redirect = await startRedirect(config.host, config.httpPort, port);
    closing.add('redirect', redirect.close);
  }
  const scheme = servesTls(config) ? 'https' : 'http';
  return `${scheme}://${shownHost(config.host)}:${port}`;
}

/** Whether browsers reach the gateway by TLS that ends here. */
export function servesTls(config: Pick<Config, 'tls' | 'tlsCert'>): boolean {
  return config.tls !== 'off' || config.tlsCert !== undefined;
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

async function checkDatabase(db: StoreDb): Promise<void> {
  const answer = sql`select 1`.execute(db);
  const late = wait(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the database did not answer within ${READY_WITHIN_MS} ms`);
  });
  await Promise.race([answer, late]);
}

function startSweep(stores: Stores, now: () => WallMs, onFault: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    sweep(stores, now()).catch(onFault);
  }, SWEEP_EVERY_MS);
  return () => clearInterval(timer);
}

async function sweep({ sessions, signInSteps, invitations, audit }: Stores, at: WallMs): Promise<void> {
  await sessions.removeEnded(at);
  await signInSteps.removeEnded(at);
  await invitations.removeEnded(at);
  await audit.keepNewest('session.refused', MAX_REFUSALS_KEPT);
}
