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
import type { WallMs } from '../../shared/protocol/time.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Log } from '../process/log.ts';
import type { Stores } from '../store/stores.ts';
import { IMPORT_BYTES_LIMIT } from './devices/import/routes.ts';
import { FEATURES, type FeatureDeps, type RegisterFeature } from './features.ts';
import { FENCE_BYTES_LIMIT } from './fences/fenceDeps.ts';
import { FENCE_IMPORT_BYTES_LIMIT } from './fences/import/importRoutes.ts';
import { FIRMWARE_TASK_BYTES_LIMIT } from './firmware/tasks/taskDeps.ts';
import { collectRoutes, type DeclaredRoute, methodsOf } from './kernel/access.ts';
import { type CallerDeps, installCallers } from './kernel/caller.ts';
import { createProxyTest } from './kernel/clientAddress.ts';
import {
  CONNECTION_TIMES,
  type ConnectionTimes,
  clientErrorHandler,
  type LimitConnections,
} from './kernel/connections.ts';
import { installErrorHandler, Refused, refusalOf, refuse } from './kernel/envelope.ts';
import { defaultHeaders } from './kernel/headers.ts';
import { createMainServer, type MainServerDeps } from './kernel/httpServer.ts';
import { installDownloads } from './kernel/lists/downloads.ts';
import { LIST_ROWS_LIMIT } from './kernel/lists/listRoutes.ts';
import { registerOpenApi } from './kernel/openapi.ts';
import { installAudit } from './kernel/recordAudit.ts';
import { installRecordChanges } from './kernel/recordChanges.ts';
import { installRequestLog } from './kernel/requestLog.ts';
import { schemaCompilers } from './kernel/schemaCompilers.ts';
import { installStorableTexts } from './kernel/storableTexts.ts';
import { installProxyWarnings } from './kernel/untrustedProxies.ts';
import { type KeyAndCertificate, signsItself } from './tls/selfSigned.ts';
import { installBodyPlaces } from './uploads/bodyPlaces.ts';
import { UPLOAD_PART_BYTES_LIMIT } from './uploads/uploadRoutes.ts';

/** The dependencies of every call, whatever its subject. */
interface KernelDeps extends Pick<CallerDeps, 'linkAccess' | 'linkUses' | 'sessions' | 'terminalDownloads'> {
  readonly config: Pick<Config, 'frameAncestors' | 'trustedProxies' | 'metricsToken'>;
  readonly stores: Stores;
  readonly log: Log;
  /** Hears of what calls have changed. */
  readonly bus: ChangeBus;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
  /** Shorter times for tests. */
  readonly connectionTimes?: ConnectionTimes;
  /** Undefined: plain HTTP. */
  readonly tls: KeyAndCertificate | undefined;
  /** Class of the server's requests, where the server takes upgrades. */
  readonly requestClass?: typeof IncomingMessage;
}

export type AppDeps = KernelDeps & FeatureDeps;

export interface App {
  readonly fastify: FastifyInstance;
  /** Every route with the access that it declared. */
  readonly routes: readonly DeclaredRoute[];
  /** For a further server, whose connections count with those of this one. */
  readonly limitConnections: LimitConnections;
}

/** Size of the body of a request, for all calls without a limit of their own. The answer is 413. */
export const BODY_LIMIT: Limit = { name: 'http.body.bytes', max: 64 * 1024 };
/** Each maximum is unique: it identifies the limit. */
const LARGER_BODIES: readonly Limit[] = [
  IMPORT_BYTES_LIMIT,
  FENCE_BYTES_LIMIT,
  FENCE_IMPORT_BYTES_LIMIT,
  FIRMWARE_TASK_BYTES_LIMIT,
  UPLOAD_PART_BYTES_LIMIT,
];

/** Counts the requests that were refused for their size. */
function limitsOfRequests(onLimit: OnLimit) {
  return ({ code, validation }: FastifyError, { routeOptions }: FastifyRequest): void => {
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      onLimit(LARGER_BODIES.find(({ max }) => max === routeOptions.bodyLimit) ?? BODY_LIMIT);
    }
    if (validation?.some(({ instancePath }) => instancePath === '/limit')) onLimit(LIST_ROWS_LIMIT);
  };
}

export async function createApp(deps: AppDeps, features: readonly RegisterFeature<AppDeps>[] = FEATURES): Promise<App> {
  const { fastify, limitConnections } = createFastify(deps);
  const routes = collectRoutes(fastify);
  installErrorHandler(fastify, limitsOfRequests(deps.onLimit));
  installRequestLog(fastify);
  installRecordChanges(fastify, deps.bus);
  const headersOf = headersFor(deps);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request));
    done();
  });
  installProxyWarnings(fastify, deps.onLimit);
  installStorableTexts(fastify);
  await fastify.register(fastifyCookie);
  // Only provides `reply.sendFile`: what is sent is chosen from lists of files, see pages and locales.
  await fastify.register(fastifyStatic, { root: deps.localesRoot, serve: false, preCompressed: true });
  installCallers(fastify, { ...deps.stores, ...deps, metricsToken: deps.config.metricsToken });
  installBodyPlaces(fastify, deps.onLimit);
  installAudit(fastify, { store: deps.stores.audit, now: deps.now });
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsOf(path, routes);
    if (methods.length === 0 || methods.includes(request.method)) return refuse(reply, Refused.notFound);
    return refuse(reply.header('allow', methods.join(', ')), Refused.wrongMethod);
  });
  await registerOpenApi(fastify);
  installDownloads(fastify, deps);
  for (const register of features) await register(fastify, deps);
  return { fastify, routes, limitConnections };
}

/**
 * A self-signed certificate is trusted by hand, on each machine and until it is replaced. Browsers that were told to use TLS alone would
 * then let nobody through to the page where the next one can be checked.
 */
function headersFor({ config, tls }: Pick<AppDeps, 'config' | 'tls'>) {
  const isSelfSigned = tls !== undefined && signsItself(tls.cert);
  return ({ protocol }: Pick<FastifyRequest, 'protocol'>) =>
    defaultHeaders(config.frameAncestors, protocol === 'https' && !isSelfSigned);
}

function createFastify(deps: AppDeps): Pick<App, 'fastify' | 'limitConnections'> {
  const { config, log } = deps;
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
    clientErrorHandler: clientErrorHandler(mainServerDeps(deps)),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Open keep-alive connections would delay the stop.
    forceCloseConnections: true,
    // A wrong type is refused, never converted into the right one.
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
