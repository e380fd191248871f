// The words of reports in the user's language. The page loads the namespaces `Report` and `AuditWords`.
import i18next from 'i18next';
import { REPORT_CODE_NAMES, REPORT_COLUMN_NAMES, REPORT_KIND_NAMES } from '../protocol/reports/reportTexts.ts';
import type { ReportKind } from '../protocol/reports/reportWords.ts';
import { auditActionText } from './auditActionText.ts';

export function reportKindText(kind: ReportKind): string {
  return wordText(REPORT_KIND_NAMES[kind]);
}

/** The name itself of a column that this version doesn't know. */
export function reportColumnText(name: string): string {
  const known = REPORT_COLUMN_NAMES[name];
  return known === undefined ? name : wordText(known);
}

/** The code itself where it is none that this version knows. */
export function reportCodeText(column: string, code: string): string {
  if (column === 'action') return auditActionText(code);
  const known = REPORT_CODE_NAMES[column]?.[code];
  return known === undefined ? code : wordText(known);
}

function wordText(name: string): string {
  return i18next.t(name, { ns: 'Report' });
}
