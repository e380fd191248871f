// The HTTP side of the gateway, without a socket: tests inject requests, the gateway makes it listen.
import type { IncomingMessage } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { Accounts } from '../auth/accounts.ts';
import type { Config } from '../config/variables.ts';
import type { Log } from '../log.ts';
import type { Stores } from '../store/stores.ts';
import { collectRoutes, type DeclaredRoute, methodsOf } from './access.ts';
import { registerAudit } from './audit/routes.ts';
import { type CallerDeps, installCallers } from './caller.ts';
import { type MapVariable, mapOriginsOf, mapSourceOf } from './dashboard/mapSource.ts';
import { type DashboardDeps, registerDashboard } from './dashboard/routes.ts';
import { registerWalls } from './dashboard/wallRoutes.ts';
import { type DeviceDeps, registerDevice } from './device/routes.ts';
import type { DeviceGroupDeps } from './devicegroup/deps.ts';
import { registerDeviceGroup } from './devicegroup/routes.ts';
import { installErrorHandler, Refused, refusalOf, refuse } from './envelope.ts';
import { securityHeaders } from './headers.ts';
import { registerMetrics } from './health/metrics.ts';
import { type HealthDeps, registerHealth } from './health/routes.ts';
import { registerLinks } from './link/routes.ts';
import { registerView } from './link/viewRoute.ts';
import { type LocalesDeps, registerLocales } from './locales/routes.ts';
import { registerMembership } from './membership/routes.ts';
import { registerOpenApi } from './openapi.ts';
import { registerPages } from './pages/routes.ts';
import { type EvidenceDeps, registerEvidence } from './playback/evidenceRoutes.ts';
import { type ExportDeps, registerExport } from './playback/exportRoutes.ts';
import { type RangesDeps, registerRanges } from './playback/rangesRoute.ts';
import { type RemotePlaybackDeps, registerRemotePlayback } from './playback/remoteRoutes.ts';
import { installRecordChanges } from './recordChanges.ts';
import { installRequestLog } from './requestLog.ts';
import { registerMember } from './system/memberRoutes.ts';
import type { ServerInfoReader } from './system/serverInfo.ts';
import { registerServerInfo } from './system/serverRoute.ts';
import type { KeyAndCertificate } from './tls/selfSigned.ts';
import { registerAccount } from './user/accountRoutes.ts';
import { registerInvitation } from './user/invitationRoutes.ts';
import { registerSignIn } from './user/signInRoutes.ts';
import { registerStatus } from './user/statusRoutes.ts';

export interface AppDeps
  extends DeviceDeps,
    RemotePlaybackDeps,
    HealthDeps,
    RangesDeps,
    Omit<DeviceGroupDeps, 'stores'>,
    Pick<CallerDeps, 'linkAccess' | 'linkUses' | 'sessions'>,
    Pick<ExportDeps, 'library' | 'exportJobs'>,
    Pick<EvidenceDeps, 'maxEvidenceBytes'>,
    Pick<LocalesDeps, 'localesRoot' | 'now'>,
    Pick<DashboardDeps, 'figures'> {
  readonly config: Pick<Config, 'frameAncestors' | 'trustedProxies' | 'metricsToken' | MapVariable>;
  /** Told which kinds of records a call has changed. */
  readonly onChanged: (records: readonly string[]) => void;
  readonly log: Log;
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly serverInfo: ServerInfoReader;
  readonly metrics: Registry;
  /** Undefined: plain HTTP. */
  readonly tls: KeyAndCertificate | undefined;
  /** Of the server's requests, where it takes upgrades. */
  readonly requestClass?: typeof IncomingMessage;
  readonly webRoot: string;
  readonly version: string;
}

export interface App {
  readonly fastify: FastifyInstance;
  /** Every route with the access that it declared. */
  readonly routes: readonly DeclaredRoute[];
}

/** No call takes more; uploads will have routes with limits of their own. */
const MAX_BODY_BYTES = 64 * 1024;

/** For the whole of a request to arrive. Who takes longer only holds a connection. */
const REQUEST_TIMEOUT_MS = 60_000;

export async function createApp(deps: AppDeps): Promise<App> {
  const fastify = createFastify(deps);
  const routes = collectRoutes(fastify);
  installErrorHandler(fastify);
  installRequestLog(fastify);
  installRecordChanges(fastify, deps.onChanged);
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders('page', deps.config.frameAncestors));
    done();
  });
  await fastify.register(fastifyCookie);
  // Only lends `reply.sendFile`: what is sent is chosen from lists of files, see pages and locales.
  await fastify.register(fastifyStatic, { root: deps.localesRoot, serve: false, preCompressed: true });
  installCallers(fastify, { ...deps.stores, ...deps, metricsToken: deps.config.metricsToken });
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsOf(path, routes);
    if (methods.length === 0 || methods.includes(request.method)) return refuse(reply, Refused.notFound);
    return refuse(reply.header('allow', methods.join(', ')), Refused.wrongMethod);
  });
  await registerRoutes(fastify, deps);
  return { fastify, routes };
}

async function registerRoutes(fastify: FastifyInstance, deps: AppDeps): Promise<void> {
  const { stores, sessions, now } = deps;
  await registerOpenApi(fastify, deps.version);
  await registerMetrics(fastify, deps.metrics);
  await registerHealth(fastify, deps);
  await registerServerInfo(fastify, deps.serverInfo);
  await registerAccounts(fastify, deps);
  await registerStatus(fastify, { sessions, audit: stores.audit, now });
  await registerMember(fastify, { ...stores, now });
  await registerDevice(fastify, deps);
  await registerView(fastify, { stores, now });
  await registerLinks(fastify, { stores, now });
  await registerAudit(fastify, { audit: stores.audit });
  await registerDeviceGroup(fastify, deps);
  await registerRemotePlayback(fastify, deps);
  await registerRanges(fastify, deps);
  await registerExport(fastify, { ...deps, audit: stores.audit });
  await registerEvidence(fastify, { ...deps, ...stores });
  await registerDashboard(fastify, { ...deps, ...stores, mapSource: mapSourceOf(deps.config) });
  await registerWalls(fastify, stores);
  await registerLocales(fastify, { ...deps, missingTranslations: stores.missingTranslations });
  await registerPages(fastify, { webRoot: deps.webRoot, ...deps.config, mapOrigins: mapOriginsOf(deps.config) });
}

async function registerAccounts(fastify: FastifyInstance, deps: AppDeps): Promise<void> {
  const { accounts, stores, sessions, now, serverInfo } = deps;
  const issuer = async (): Promise<string> => (await serverInfo.read(false)).web_title || PRODUCT_NAME;
  const parts = { ...stores, ...accounts, sessions, issuer, now };
  await registerSignIn(fastify, parts);
  await registerAccount(fastify, parts);
  await registerInvitation(fastify, parts);
  await registerMembership(fastify, parts);
}

/** What authenticator apps show above a code where the installation has no title of its own. */
const PRODUCT_NAME = 'Fleetglass';

function createFastify({ config, log, tls, requestClass }: AppDeps): FastifyInstance {
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    // A device id may have 64 characters of nine bytes each, as an address writes them.
    routerOptions: { maxParamLength: 1_024 },
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Open keep-alive connections would hold up the stop.
    forceCloseConnections: true,
    // A wrong type is refused, never bent into the right one.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    frameworkErrors: (error: FastifyError, _request: unknown, reply: FastifyReply) => {
      // No hook runs for an address that cannot be read.
      refuse(reply.headers(securityHeaders('page', config.frameAncestors)), refusalOf(error));
    },
  };
  const requests = requestClass === undefined ? {} : { IncomingMessage: requestClass };
  if (tls === undefined) return Fastify({ ...options, http: requests });
  const fastify: unknown = Fastify({ ...options, https: { ...tls, ...requests, minVersion: 'TLSv1.2' as const } });
  return fastify as FastifyInstance; // the types differ in that of `server`, whose methods are the same
}
