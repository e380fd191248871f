import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { AuditAction } from '../../../shared/protocol/api/auditWords.ts';

export type { AuditFields };

export interface AuditEntry {
  /** The user name; '' when nobody was signed in, and for a sign-in under a name that nobody has. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly target?: string | undefined;
  readonly address?: string | undefined;
  /** Never a secret: these rows are shown and exported. */
  readonly detail?: AuditFields | undefined;
  /** Of a record that was changed: the fields that differ, as they were and as they are. Of one that was made or removed all. */
  readonly before?: AuditFields | undefined;
  readonly after?: AuditFields | undefined;
}
