// The audit log of what callers do: who, from where, what was before and what is now.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { AuditAction } from '../../../shared/protocol/api/auditWords.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { changedFields } from '../../records/changedFields.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import { callerOf } from './caller.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly audit: AuditDeps;
  }
}

export interface AuditDeps {
  readonly store: Pick<AuditStore, 'add'>;
  readonly now: () => WallMs;
}

export interface AuditedChange {
  readonly action: AuditAction;
  readonly target?: string;
  /** Left out: the caller's username. */
  readonly actor?: string;
  /**
   * Only the fields that differ between `before` and `after` are kept; if only one is given, for a record that was added or removed, it is
   * kept whole.
   */
  readonly before?: AuditFields | undefined;
  readonly after?: AuditFields | undefined;
  readonly detail?: AuditFields | undefined;
}

export function installAudit(app: FastifyInstance, deps: AuditDeps): void {
  app.decorate('audit', deps);
}

/** Records what the request's caller did. Settles once it is stored. */
export async function recordAudit(request: FastifyRequest, change: AuditedChange): Promise<void> {
  const { store, now } = request.server.audit;
  await store.add(auditEntryOf(request, change), now());
}

/** The entry for stores that keep it together with its subject. */
export function auditEntryOf(request: FastifyRequest, change: AuditedChange): AuditEntry {
  const { action, target, before, after, detail } = change;
  const actor = change.actor ?? callerOf(request).user.username;
  const sides = before === undefined || after === undefined ? { before, after } : changedFields(before, after);
  return { actor, action, target, address: request.ip, detail, ...sides };
}
