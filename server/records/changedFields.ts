import type { AuditFields } from '../../shared/protocol/api/audit.ts';

/** The fields in which two versions of a record differ, for the audit. */
export function changedFields(
  before: AuditFields,
  after: AuditFields,
): { readonly before: AuditFields; readonly after: AuditFields } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const only = (fields: AuditFields) =>
    Object.fromEntries(changed.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
  return { before: only(before), after: only(after) };
}
