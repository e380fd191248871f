// The HTTP side of the gateway, without a socket: tests inject requests, the gateway makes it listen.
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/variables.ts';
import type { Log } from '../log.ts';
import { requireDeclaredAccess } from './access.ts';
import { type DeviceDeps, registerDevice } from './device/routes.ts';
import { installErrorHandler, Refused, refusalOf, refuse } from './envelope.ts';
import { securityHeaders } from './headers.ts';
import { registerHealth } from './health/routes.ts';
import { registerLocales } from './locales/routes.ts';
import { registerPages } from './pages/routes.ts';
import { installRequestLog } from './requestLog.ts';
import type { ServerInfoReader } from './system/serverInfo.ts';
import { registerServerInfo } from './system/serverRoute.ts';

export interface AppDeps extends DeviceDeps {
  readonly config: Pick<Config, 'frameAncestors' | 'trustedProxies'>;
  readonly log: Log;
  readonly serverInfo: ServerInfoReader;
  readonly webRoot: string;
  readonly localesRoot: string;
}

const MAX_BODY_BYTES = 64 * 1024;

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = createBareApp(deps);
  requireDeclaredAccess(app);
  installRequestLog(app);
  installErrorHandler(app);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders('page', deps.config.frameAncestors));
    done();
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, Refused.notFound));
  await registerPages(app, { webRoot: deps.webRoot, frameAncestors: deps.config.frameAncestors });
  await registerHealth(app);
  await registerLocales(app, deps);
  await registerServerInfo(app, deps.serverInfo);
  await registerDevice(app, deps);
  return app;
}

function createBareApp({ config, log }: AppDeps): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    disableRequestLogging: true,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Open keep-alive connections would hold up the stop.
    forceCloseConnections: true,
    // A wrong type is refused, never bent into the right one.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    frameworkErrors: (error, _request, reply) => {
      refuse(reply, refusalOf(error));
    },
  });
}
