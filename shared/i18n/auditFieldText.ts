// What fields of records are called in the user's language. The page loads the namespace `AuditWords`.
import i18next from 'i18next';
import { AUDIT_FIELDS } from '../protocol/api/auditWords.ts';

/** The field as it is when nobody has said what it is called. */
export function auditFieldText(field: string): string {
  return AUDIT_FIELDS.some((each) => each === field) ? i18next.t(field, { ns: 'AuditWords' }) : field;
}
