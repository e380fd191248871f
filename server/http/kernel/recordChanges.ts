// Which records a call has changed, so that the screens which show them can be told.
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kinds of records that a success of this call changes; left out: as its address says. */
    changes?: readonly string[];
  }
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** By the first word of the address behind /api/. Areas that are not here change nothing that a list shows. */
const RECORDS_OF_AREA: Readonly<Record<string, readonly string[]>> = {
  devicegroup: ['device', 'group'],
  membership: ['member', 'role', 'group', 'session'],
  link: ['link'],
  user: ['session'],
};

/** Tells of every call that changed something and succeeded. */
export function installRecordChanges(app: FastifyInstance, tell: (records: readonly string[]) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!CHANGES_NOTHING.has(request.method) && reply.statusCode < 300) {
      const records = request.routeOptions.config.changes ?? recordsOf(request.routeOptions.url ?? '');
      if (records.length > 0) tell(records);
    }
    done();
  });
}

/** Pure. */
export function recordsOf(url: string): readonly string[] {
  const area = /^\/api\/([^/]+)\//.exec(url)?.[1] ?? '';
  return Object.hasOwn(RECORDS_OF_AREA, area) ? (RECORDS_OF_AREA[area] ?? []) : [];
}
