// Which records a call has changed, so that the screens which show them can be told.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kinds of records that a success of this call changes. Left out: as `registerChanging` says, or none. */
    changes?: readonly RecordKind[];
  }
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Tells of every call that changed something and succeeded. */
export function installRecordChanges(app: FastifyInstance, tell: (records: readonly RecordKind[]) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { changes = [] } = request.routeOptions.config;
    if (changes.length > 0 && !CHANGES_NOTHING.has(request.method) && reply.statusCode < 300) tell(changes);
    done();
  });
}

/** Registers calls that change records of these kinds, except for those that declare their own `changes`. */
export async function registerChanging(
  app: FastifyInstance,
  changes: readonly RecordKind[],
  register: (routes: FastifyInstance) => Promise<void>,
): Promise<void> {
  const calls: FastifyPluginAsync = async (routes) => {
    routes.addHook('onRoute', (route) => {
      // A new object: routes share theirs.
      route.config = { changes, ...route.config };
    });
    await register(routes);
  };
  await app.register(calls);
}
