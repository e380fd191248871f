// What fields of records are called in the user's language. The page loads the namespace `AuditWords`.
import i18next from 'i18next';
import { AUDIT_FIELDS } from '../protocol/api/auditWords.ts';

/** The field's name; the code itself for a field without a name. */
export function auditFieldText(field: string): string {
  return AUDIT_FIELDS.some((each) => each === field) ? i18next.t(field, { ns: 'AuditWords' }) : field;
}
