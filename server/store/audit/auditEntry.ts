import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { AuditAction } from '../../../shared/protocol/api/auditWords.ts';

export interface AuditEntry {
  /** The username; '' when nobody was signed in, and for a sign-in under an unknown name. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly target?: string | undefined;
  readonly address?: string | undefined;
  /** Never a secret: these rows are shown and exported. */
  readonly detail?: AuditFields | undefined;
  /**
   * For a changed record, the fields that differ, before and after the change. For a record that was made or removed, all of its fields.
   */
  readonly before?: AuditFields | undefined;
  readonly after?: AuditFields | undefined;
}
