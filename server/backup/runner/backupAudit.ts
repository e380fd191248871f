// Audit entries for the outcome of backups. Other requests of members are audited with their calls.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import type { EndedTest } from '../../store/system/backups.ts';

export interface BackupAudit {
  begun(backup: BegunEntry): Promise<void>;
  /** Noted whoever asked for the test. A canceled one has no result. */
  tested(file: string, ended: Pick<EndedTest, 'state' | 'fault' | 'durationMs'>): Promise<void>;
  /** Called when the plan has deleted the backup. */
  expired(backup: { readonly file: string; readonly note: string }): Promise<void>;
}

interface BegunEntry {
  readonly file: string;
  /** Username; '' for the schedule. */
  readonly madeBy: string;
  readonly note: string;
  readonly address?: string | undefined;
}

export interface BackupAuditDeps {
  readonly store: Pick<AuditStore, 'add'>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

export function createBackupAudit({ store, now, onFault }: BackupAuditDeps): BackupAudit {
  const add = async (entry: Partial<AuditEntry> & Pick<AuditEntry, 'action'>): Promise<void> => {
    const atMs: WallMs = wallMs(now());
    // The backup matters more than its entry.
    await store.add({ actor: '', ...entry }, atMs).catch((cause: unknown) => {
      onFault(faultOf('a backup is missing in the audit', cause));
    });
  };
  return {
    begun: ({ file, madeBy, note, address }) => {
      const action = madeBy === '' ? 'backup.auto' : 'backup.make';
      return add({ actor: madeBy, action, target: file, address, detail: { note } });
    },
    tested: (file, ended) => add({ action: 'backup.tested', target: file, detail: testDetail(ended) }),
    expired: ({ file, note }) => add({ action: 'backup.expire', target: file, before: { note } }),
  };
}

function testDetail({ state, fault, durationMs }: Pick<EndedTest, 'state' | 'fault' | 'durationMs'>) {
  const reason = fault === '' ? {} : { reason: fault };
  return { result: state, milliseconds: Math.round(durationMs), ...reason };
}
