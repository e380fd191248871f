// Which records a call has changed, so that the screens which show them can be told.
import type { FastifyInstance } from 'fastify';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kinds of records that a success of this call changes; left out: as its address says. */
    changes?: readonly RecordKind[];
  }
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** By the first word of the address behind /api/. Areas that are not here change nothing that a list shows. */
const RECORDS_OF_AREA: Readonly<Record<string, readonly RecordKind[]>> = {
  devicegroup: ['device', 'group'],
  membership: ['member', 'membergroup', 'role', 'group', 'session'],
  link: ['link'],
  user: ['session'],
};

/** Tells of every call that changed something and succeeded. */
export function installRecordChanges(app: FastifyInstance, tell: (records: readonly RecordKind[]) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!CHANGES_NOTHING.has(request.method) && reply.statusCode < 300) {
      const records = request.routeOptions.config.changes ?? recordsOf(request.routeOptions.url ?? '');
      if (records.length > 0) tell(records);
    }
    done();
  });
}

/** Pure. */
export function recordsOf(url: string): readonly RecordKind[] {
  const area = /^\/api\/([^/]+)\//.exec(url)?.[1] ?? '';
  return Object.hasOwn(RECORDS_OF_AREA, area) ? (RECORDS_OF_AREA[area] ?? []) : [];
}
