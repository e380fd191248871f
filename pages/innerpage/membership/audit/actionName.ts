import i18next from 'i18next';
import { AUDIT_ACTIONS } from '../../../../shared/protocol/api/auditWords.ts';

/** What was done, in the user's language; the action as it is when nobody has said what it is called. */
export function actionName(action: string): string {
  return AUDIT_ACTIONS.some((each) => each === action) ? i18next.t(action, { ns: 'AuditWords' }) : action;
}
