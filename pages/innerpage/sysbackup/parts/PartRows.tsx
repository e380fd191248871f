import { useTranslation } from 'react-i18next';
import type { PartRow } from '../../../../shared/protocol/api/system/backupParts.ts';
import { PlannedRows } from '../../../../shared/ui/plannedRows/PlannedRows.tsx';
import type { PlannedLine } from '../../../../shared/ui/plannedRows/plannedRow.ts';
import { usePartTexts } from './usePartTexts.ts';

const OUTCOMES = ['refused', 'changed', 'added'] as const;

/** The planned outcome of each record, and its result. */
export function PartRows({ rows }: { readonly rows: readonly PartRow[] }) {
  const { t } = useTranslation('BackupParts');
  const texts = usePartTexts();
  const lineOf = ({ record, name, changes, faults, result }: PartRow): PlannedLine => ({
    name: (
      <>
        {texts.records[record]} <strong>{name}</strong>
      </>
    ),
    changes: changes.map(({ field, ...values }) => ({ field: texts.field(field), ...values })),
    faults: [...faults.map(texts.fault), ...(result === '' || result === 'done' ? [] : [texts.result(result)])],
  });
  return <PlannedRows label={t('Records in the backup')} rows={rows} outcomes={OUTCOMES} lineOf={lineOf} />;
}
