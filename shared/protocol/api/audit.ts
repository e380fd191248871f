// The calls about the audit (docs/contract.md). Times are milliseconds since the epoch.

export const AUDIT_PATH = '/api/audit/entries';

export const AUDIT_SORTS = ['at', 'actor', 'action', 'target', 'address'] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

/** Fields of a record, or what else belongs to an entry. Text in it came from anywhere. */
export type AuditFields = Readonly<Record<string, unknown>>;

export interface AuditRow {
  readonly id: number;
  readonly atMs: number;
  /** User name as it was given; '' when nobody was signed in. */
  readonly actor: string;
  /** `subject.event`. */
  readonly action: string;
  readonly target: string;
  readonly address: string;
  readonly detail: AuditFields;
  /** The fields that a change touched, as they were and as they are; null where there are none. */
  readonly before: AuditFields | null;
  readonly after: AuditFields | null;
}
