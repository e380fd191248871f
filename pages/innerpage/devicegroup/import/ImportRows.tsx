import { useTranslation } from 'react-i18next';
import type { ImportRow } from '../../../../shared/protocol/api/deviceImport.ts';
import { PlannedRows } from '../../../../shared/ui/plannedRows/PlannedRows.tsx';
import type { PlannedLine } from '../../../../shared/ui/plannedRows/plannedRow.ts';
import { useFaultText } from './faultText.ts';

const OUTCOMES = ['refused', 'changed', 'added', 'unchanged'] as const;

/** The outcome of every row of the file. */
export function ImportRows({ rows }: { readonly rows: readonly ImportRow[] }) {
  const { t } = useTranslation('DeviceGroup');
  const faultText = useFaultText();
  const lineOf = ({ line, deviceid, name, changes, faults }: ImportRow): PlannedLine => ({
    place: t('Line {{line}}', { line }),
    name: (
      <>
        <strong>{deviceid === '' ? '–' : deviceid}</strong> {name}
      </>
    ),
    changes: changes.map(({ column, from, to }) => ({ field: column, from, to })),
    faults: faults.map(faultText),
  });
  return <PlannedRows label={t('Rows in the file')} rows={rows} outcomes={OUTCOMES} lineOf={lineOf} />;
}
