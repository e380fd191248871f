// The audit: what was done, by whom, to what, from where. Times are milliseconds since the epoch.
import * as Type from 'typebox/type';
import { AnyFields, Id, Nullable, type RecordOf, Text, Timestamp } from './records.ts';

export const AUDIT_PATH = '/api/audit/entries';

export const AUDIT_SORTS = ['at', 'actor', 'action', 'target', 'address'] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

/** Fields of a record, or what else belongs to an entry. Text in it came from anywhere. */
export const AuditFields = AnyFields;
export type AuditFields = RecordOf<typeof AuditFields>;

export const AuditRow = Type.Object({
  id: Id,
  atMs: Timestamp,
  /** User name as it was given; '' when nobody was signed in. */
  actor: Text,
  /** `subject.event`. */
  action: Text,
  target: Text,
  address: Text,
  detail: AuditFields,
  /** The fields that a change touched, as they were and as they are; null where there are none. */
  before: Nullable(AuditFields),
  after: Nullable(AuditFields),
});
export type AuditRow = RecordOf<typeof AuditRow>;

const TimestampText = Type.Optional(Type.String({ pattern: '^\\d{1,15}$' }));

export const AuditFilters = {
  actor: Type.Optional(Type.String({ maxLength: 256 })),
  /** `session` or `session.begin`. */
  action: Type.Optional(Type.String({ pattern: '^[a-z]{1,40}(\\.[a-z-]{1,40})?$' })),
  /** Half open. */
  from: TimestampText,
  to: TimestampText,
};
