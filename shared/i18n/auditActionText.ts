// What the audit log's actions are called in the user's language. The page loads the namespace `AuditWords`.
import i18next from 'i18next';
import { AUDIT_ACTIONS } from '../protocol/api/auditWords.ts';

/** The action's name; the code itself for an action without a name. */
export function auditActionText(action: string): string {
  return AUDIT_ACTIONS.some((each) => each === action) ? i18next.t(action, { ns: 'AuditWords' }) : action;
}
