// Which records a call has changed, so that the screens which show them can be told.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import { scopeOf } from './callerScope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kinds of records that a success of this call changes. Left out: as `registerChanging` says, or none. */
    changes?: readonly RecordKind[];
  }
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Tells of every call that changed something and succeeded, and answers once all have heard of it. */
export function installRecordChanges(
  app: FastifyInstance,
  { recordsChanged }: Pick<ChangeBus, 'recordsChanged'>,
): void {
  // Without a promise for the answers that have nothing to tell, which most are.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { changes = [] } = request.routeOptions.config;
    const hasChanged = changes.length > 0 && !CHANGES_NOTHING.has(request.method) && reply.statusCode < 300;
    if (!hasChanged) {
      done();
      return;
    }
    const { caller } = request;
    const acted = recordsChanged.publish({ kinds: changes, memberGroup: caller && scopeOf(caller).memberGroup });
    if (acted === undefined) done();
    else acted.then(() => done(), done);
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
