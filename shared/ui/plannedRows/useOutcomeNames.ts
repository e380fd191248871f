import { useTranslation } from 'react-i18next';
import type { PlannedOutcome } from './plannedRow.ts';

export function useOutcomeNames(): Readonly<Record<PlannedOutcome, string>> {
  const { t } = useTranslation('Table');
  return { added: t('Add'), changed: t('Change'), unchanged: t('No change'), refused: t('Reject') };
}
