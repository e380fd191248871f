import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { FenceImportRow } from '../../../../shared/protocol/api/fences/fences.ts';
import { PlannedRows } from '../../../../shared/ui/plannedRows/PlannedRows.tsx';
import type { PlannedLine } from '../../../../shared/ui/plannedRows/plannedRow.ts';
import { useFaultText, useKindText } from '../fenceTexts.ts';

const OUTCOMES = ['refused', 'changed', 'added', 'unchanged'] as const;
/** Same height as the map beside the rows. */
const HEIGHT = { xs: 260, md: 360 } as const;

export interface PlanRowsProps {
  readonly rows: readonly FenceImportRow[];
  readonly pointed: number | undefined;
  readonly onPoint: (line: number | undefined) => void;
}

/** The outcome of every row of the file. */
export function PlanRows({ rows, pointed, onPoint }: PlanRowsProps) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const faultText = useFaultText();
  const lineOf = ({ line, name, kind, faults, at }: FenceImportRow): PlannedLine => ({
    place: t('Row {{line}}', { line }),
    name: (
      <>
        <strong>{name === '' ? '–' : name}</strong> {kindText(kind)}
      </>
    ),
    faults: faults.map((fault) => faultText(fault, at)),
  });
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0, alignContent: 'start' }}>
      <PlannedRows
        label={t('Rows in the file')}
        rows={rows}
        outcomes={OUTCOMES}
        lineOf={lineOf}
        height={HEIGHT}
        isPointed={({ line }) => line === pointed}
        onPoint={(row) => onPoint(row?.line)}
      />
    </Box>
  );
}
