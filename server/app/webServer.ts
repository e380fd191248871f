// Puts the HTTP side together for a gateway that runs: the app, what it checks callers with, and its sweeping.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccounts } from '../auth/accounts.ts';
import { createPasswords } from '../auth/passwords.ts';
import { createSessions, type Sessions } from '../auth/sessions.ts';
import { SignInThrottle } from '../auth/signInThrottle.ts';
import type { Config } from '../config/variables.ts';
import { createRunAfter } from '../faults/timers.ts';
import { type App, type AppDeps, createApp } from '../http/app.ts';
import type { FiguresDeps } from '../http/fleet/figures.ts';
import { CONNECTION_TIMES } from '../http/kernel/connections.ts';
import { loadTls } from '../http/tls/loadTls.ts';
import { type Redirect, startRedirect } from '../http/tls/redirect.ts';
import type { Closing } from '../process/closing.ts';
import { ExportJobs } from '../recording/export/exportJobs.ts';
import type { StoreDb } from '../store/engine/database.ts';
import type { StandIn } from './standIn.ts';
import { startSweep } from './sweep.ts';

/** What the app needs and this module makes for it. */
interface MadeHere
  extends Pick<AppDeps, 'sessions' | 'accounts' | 'exportJobs' | 'checkReady'>,
    Pick<AppDeps, 'config' | 'tls' | 'webRoot' | 'noticesFile'> {}

export interface WebServerDeps extends Omit<AppDeps, keyof MadeHere | 'figures'> {
  readonly figures: Omit<FiguresDeps, 'serverInfo'>;
  readonly db: StoreDb;
  readonly projectRoot: string;
  readonly closing: Closing;
  readonly standIn: StandIn | undefined;
}

export interface WebServer extends App {
  readonly sessions: Sessions;
  /** What it serves with; undefined: plain HTTP. */
  readonly tls: AppDeps['tls'];
}

const READY_WITHIN_MS = 2_000;

/** Creates the app without listening. */
export async function createWebServer(config: Config, deps: WebServerDeps): Promise<WebServer> {
  const { db, stores, log, now, closing, projectRoot, secretBox: box, onLimit } = deps;
  const sessions = createSessions({ ...stores, now, onLimit });
  const runAfter = createRunAfter((error) => log.error({ err: error }, 'sign-in'));
  const throttle = new SignInThrottle({ now: () => performance.now(), runAfter, onLimit });
  const tls = loadTls(config, now());
  const app = await createApp({
    ...deps,
    config,
    sessions,
    accounts: createAccounts({ stores, sessions, throttle, passwords: await createPasswords(), box, now, onLimit }),
    figures: { ...deps.figures, serverInfo: deps.serverInfo },
    exportJobs: startExports(deps),
    checkReady: () => checkDatabase(db),
    tls,
    webRoot: join(projectRoot, 'dist/web'),
    noticesFile: join(projectRoot, 'dist/gateway/notices.json'),
  });
  // Added before: it takes the port when the app has left it, while all else still closes.
  closing.add('stand-in', async () => deps.standIn?.take());
  closing.add('http', () => app.fastify.close());
  closing.add('sweep', startSweep({ stores, now, onFault: (error) => log.error({ err: error }, 'sweep'), onLimit }));
  return { ...app, sessions, tls };
}

/** Ends waiting exports; running downloads have been cut with their connections. */
function startExports({ log, closing, owners, onLimit }: ListenDeps & Pick<WebServerDeps, 'owners'>): ExportJobs {
  const runAfter = createRunAfter((error) => log.error({ err: error }, 'exports'));
  const jobs = new ExportJobs({ owners, now: Date.now, runAfter, onLimit });
  closing.add('exports', async () => jobs.close());
  return jobs;
}

type ListenDeps = Pick<WebServerDeps, 'log' | 'closing' | 'onLimit'>;

export interface Listening {
  /** Address for browsers. */
  readonly address: string;
  /** Undefined: none is configured. */
  readonly redirect: Redirect | undefined;
}

/** Listens, and answers plain HTTP with a redirect when that is configured. */
export async function listen(app: App, config: Config, { log, closing, onLimit }: ListenDeps): Promise<Listening> {
  const { fastify, limitConnections } = app;
  await fastify.listen({ host: config.host, port: config.port });
  const port = webPortOf(app, config);
  let redirect: Redirect | undefined;
  if (config.httpPort !== undefined) {
    const onFault = (error: Error): void => log.error({ err: error }, 'http');
    const server = { times: CONNECTION_TIMES, limitConnections, onLimit, onFault };
    redirect = await startRedirect({ host: config.host, port: config.httpPort, securePort: port, server });
    closing.add('redirect', redirect.close);
  }
  const scheme = servesTls(config) ? 'https' : 'http';
  return { address: `${scheme}://${shownHost(config.host)}:${port}`, redirect };
}

/** The port where it listens: another one than the configured port where that is 0. */
function webPortOf({ fastify }: Pick<App, 'fastify'>, config: Pick<Config, 'port'>): number {
  const bound = fastify.server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : config.port;
}

/** Where browsers connect: parts that start before it ask for it later. */
export class WebSide {
  #server: WebServer | undefined;
  #redirect: Redirect | undefined;

  /** The server exists, and does not listen yet. */
  made(server: WebServer): void {
    this.#server = server;
  }

  opened(redirect: Redirect | undefined): void {
    this.#redirect = redirect;
  }

  get tls(): WebServer['tls'] {
    return this.#server?.tls;
  }

  get redirect(): Redirect | undefined {
    return this.#redirect;
  }

  get isListening(): boolean {
    return this.#server?.fastify.server.listening === true;
  }

  /** The configured port until it listens. */
  port(config: Pick<Config, 'port'>): number {
    return this.#server === undefined ? config.port : webPortOf(this.#server, config);
  }
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
