// The HTTP side of the gateway, without a socket: tests inject requests, the gateway makes it listen.
import type { IncomingMessage } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Registry } from 'prom-client';
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { Accounts } from '../auth/accounts.ts';
import type { Config } from '../config/variables.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Log } from '../process/log.ts';
import type { Stores } from '../store/stores.ts';
import { registerAccount } from './accounts/accountRoutes.ts';
import { registerInvitation } from './accounts/invitationRoutes.ts';
import { registerMember } from './accounts/ownMemberRoutes.ts';
import { registerMembership } from './accounts/routes.ts';
import { registerSignIn } from './accounts/signInRoutes.ts';
import { registerStatus } from './accounts/statusRoutes.ts';
import { registerAudit } from './audit/routes.ts';
import type { DeviceGroupDeps } from './devices/deps.ts';
import { type DeviceDeps, registerDevice } from './devices/deviceRoute.ts';
import { IMPORT_BYTES_LIMIT } from './devices/import/routes.ts';
import { registerDeviceGroup } from './devices/routes.ts';
import { MapFile } from './fleet/mapFile.ts';
import { registerMapFile } from './fleet/mapFileRoute.ts';
import { type MapVariable, mapOriginsOf, mapSourceOf } from './fleet/mapSource.ts';
import { type DashboardDeps, registerDashboard } from './fleet/routes.ts';
import { registerWalls } from './fleet/wallRoutes.ts';
import { collectRoutes, type DeclaredRoute, methodsOf } from './kernel/access.ts';
import { type CallerDeps, installCallers } from './kernel/caller.ts';
import { createProxyTest } from './kernel/clientAddress.ts';
import {
  CONNECTION_TIMES,
  type ConnectionTimes,
  clientErrorHandler,
  type LimitConnections,
} from './kernel/connections.ts';
import { installDownloads } from './kernel/downloads.ts';
import { installErrorHandler, Refused, refusalOf, refuse } from './kernel/envelope.ts';
import { defaultHeaders } from './kernel/headers.ts';
import { createMainServer, type MainServerDeps } from './kernel/httpServer.ts';
import { LIST_ROWS_LIMIT } from './kernel/listRoutes.ts';
import { registerOpenApi } from './kernel/openapi.ts';
import { installAudit } from './kernel/recordAudit.ts';
import { installRecordChanges } from './kernel/recordChanges.ts';
import { installRequestLog } from './kernel/requestLog.ts';
import { schemaCompilers } from './kernel/schemaCompilers.ts';
import { installStorableTexts } from './kernel/storableTexts.ts';
import { installProxyWarnings } from './kernel/untrustedProxies.ts';
import { registerLinks } from './links/routes.ts';
import { registerView } from './links/viewRoute.ts';
import { registerPages } from './pages/routes.ts';
import { type EvidenceDeps, registerEvidence } from './recordings/evidenceRoutes.ts';
import { type ExportDeps, registerExport } from './recordings/exportRoutes.ts';
import { type RangesDeps, registerRanges } from './recordings/rangesRoute.ts';
import { type RemotePlaybackDeps, registerRemotePlayback } from './recordings/remoteRoutes.ts';
import { type HealthDeps, registerHealth } from './system/healthRoutes.ts';
import { type LocalesDeps, registerLocales } from './system/localesRoutes.ts';
import { registerMetrics } from './system/metrics.ts';
import type { ServerInfoReader } from './system/serverInfo.ts';
import { registerServerInfo } from './system/serverRoute.ts';
import { type KeyAndCertificate, signsItself } from './tls/selfSigned.ts';

export interface AppDeps
  extends DeviceDeps,
    RemotePlaybackDeps,
    HealthDeps,
    RangesDeps,
    Omit<DeviceGroupDeps, 'stores'>,
    Pick<CallerDeps, 'linkAccess' | 'linkUses' | 'sessions'>,
    Pick<ExportDeps, 'gopReader' | 'exportJobs'>,
    Pick<EvidenceDeps, 'maxEvidenceBytes'>,
    Pick<LocalesDeps, 'localesRoot' | 'now' | 'onLimit'>,
    Pick<DashboardDeps, 'figures'> {
  readonly config: Pick<Config, 'frameAncestors' | 'trustedProxies' | 'metricsToken' | MapVariable>;
  /** Told which kinds of records a call has changed. */
  readonly onChanged: (records: readonly RecordKind[]) => void;
  readonly onLimit: OnLimit;
  readonly log: Log;
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly serverInfo: ServerInfoReader;
  readonly metrics: Registry;
  /** Shorter ones for tests. */
  readonly connectionTimes?: ConnectionTimes;
  /** Undefined: plain HTTP. */
  readonly tls: KeyAndCertificate | undefined;
  /** Of the server's requests, where it takes upgrades. */
  readonly requestClass?: typeof IncomingMessage;
  readonly webRoot: string;
}

export interface App {
  readonly fastify: FastifyInstance;
  /** Every route with the access that it declared. */
  readonly routes: readonly DeclaredRoute[];
  /** For a further server, on the counts of this one. */
  readonly limitConnections: LimitConnections;
}

/** No call takes more but imports, which have a limit of their own. */
export const BODY_LIMIT: Limit = { name: 'http.body.bytes', max: 64 * 1024 };

/** Counts what was refused for its size. */
function limitsOfRequests(onLimit: OnLimit) {
  return ({ code, validation }: FastifyError, { routeOptions }: FastifyRequest): void => {
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      onLimit(routeOptions.bodyLimit === IMPORT_BYTES_LIMIT.max ? IMPORT_BYTES_LIMIT : BODY_LIMIT);
    }
    if (validation?.some(({ instancePath }) => instancePath === '/limit')) onLimit(LIST_ROWS_LIMIT);
  };
}

export async function createApp(deps: AppDeps): Promise<App> {
  const { fastify, limitConnections } = createFastify(deps);
  const routes = collectRoutes(fastify);
  installErrorHandler(fastify, limitsOfRequests(deps.onLimit));
  installRequestLog(fastify);
  installRecordChanges(fastify, deps.onChanged);
  const headersOf = headersFor(deps);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request));
    done();
  });
  installProxyWarnings(fastify, deps.onLimit);
  installStorableTexts(fastify);
  await fastify.register(fastifyCookie);
  // Only lends `reply.sendFile`: what is sent is chosen from lists of files, see pages and locales.
  await fastify.register(fastifyStatic, { root: deps.localesRoot, serve: false, preCompressed: true });
  installCallers(fastify, { ...deps.stores, ...deps, metricsToken: deps.config.metricsToken });
  installAudit(fastify, { store: deps.stores.audit, now: deps.now });
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsOf(path, routes);
    if (methods.length === 0 || methods.includes(request.method)) return refuse(reply, Refused.notFound);
    return refuse(reply.header('allow', methods.join(', ')), Refused.wrongMethod);
  });
  await registerRoutes(fastify, deps);
  return { fastify, routes, limitConnections };
}

async function registerRoutes(fastify: FastifyInstance, deps: AppDeps): Promise<void> {
  const { stores, sessions, now } = deps;
  await registerOpenApi(fastify);
  // Before the routes that offer downloads, and after what collects all routes.
  installDownloads(fastify, deps);
  await registerMetrics(fastify, deps.metrics);
  await registerHealth(fastify, deps);
  await registerServerInfo(fastify, deps.serverInfo);
  await registerAccounts(fastify, deps);
  await registerStatus(fastify, { sessions });
  await registerMember(fastify, stores);
  await registerDevice(fastify, deps);
  await registerView(fastify, { stores, now });
  await registerLinks(fastify, deps);
  await registerAudit(fastify, { audit: stores.audit });
  await registerDeviceGroup(fastify, deps);
  await registerRemotePlayback(fastify, deps);
  await registerRanges(fastify, deps);
  await registerExport(fastify, deps);
  await registerEvidence(fastify, { ...deps, ...stores });
  await registerDashboard(fastify, { ...deps, ...stores, mapSource: mapSourceOf(deps.config) });
  await registerMapFile(fastify, { mapFile: await openMapFile(deps), onLimit: deps.onLimit });
  await registerWalls(fastify, stores);
  await registerLocales(fastify, { ...deps, missingTranslations: stores.missingTranslations });
  await registerPages(fastify, { webRoot: deps.webRoot, ...deps.config, mapOrigins: mapOriginsOf(deps.config) });
}

async function openMapFile({ config, log }: AppDeps): Promise<MapFile | undefined> {
  if (config.mapPmtiles === undefined) return undefined;
  const mapFile = new MapFile({ path: config.mapPmtiles, log });
  await mapFile.check();
  return mapFile;
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

/**
 * A certificate that signs itself is trusted by hand, on each machine and until it is replaced. Browsers that were told to come
 * over TLS alone would then let nobody pass to the page where the next one is looked at.
 */
function headersFor({ config, tls }: Pick<AppDeps, 'config' | 'tls'>) {
  const isSelfSigned = tls !== undefined && signsItself(tls.cert);
  return ({ protocol }: Pick<FastifyRequest, 'protocol'>) =>
    defaultHeaders(config.frameAncestors, protocol === 'https' && !isSelfSigned);
}

function createFastify(deps: AppDeps): Pick<App, 'fastify' | 'limitConnections'> {
  const { config, log, onLimit } = deps;
  const headersOf = headersFor(deps);
  let limitConnections: LimitConnections = () => undefined;
  const fastify = Fastify({
    // Without it Fastify would listen on a server of its own for each address of `localhost`, which has none of our handlers.
    serverFactory: (answer) => {
      const main = createMainServer(answer, mainServerDeps(deps));
      limitConnections = main.limitConnections;
      return main.server;
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT.max,
    // A device id may have 64 characters of nine bytes each, as an address writes them.
    routerOptions: { maxParamLength: 1_024 },
    clientErrorHandler: clientErrorHandler(onLimit),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Open keep-alive connections would hold up the stop.
    forceCloseConnections: true,
    // A wrong type is refused, never bent into the right one.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    schemaController: { compilersFactory: schemaCompilers },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for an address that cannot be read.
      refuse(reply.headers(headersOf(request)), refusalOf(error));
    },
  });
  return { fastify, limitConnections };
}

function mainServerDeps({ config, log, tls, requestClass, onLimit, connectionTimes }: AppDeps): MainServerDeps {
  return {
    isTrustedProxy: createProxyTest(config.trustedProxies),
    times: connectionTimes ?? CONNECTION_TIMES,
    tls,
    requestClass,
    onLimit,
    onFault: (error) => log.error({ err: error }, 'http'),
  };
}
