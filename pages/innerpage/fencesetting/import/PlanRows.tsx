import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FenceImportRow } from '../../../../shared/protocol/api/fences/fences.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useFaultText, useKindText } from '../fenceTexts.ts';

type Outcome = FenceImportRow['outcome'];

const OUTCOMES = ['refused', 'changed', 'added', 'unchanged'] as const;
const COLORS = { refused: 'error', changed: 'warning', added: 'success', unchanged: 'default' } as const;
const ROW_PX = 44;

export interface PlanRowsProps {
  readonly rows: readonly FenceImportRow[];
  readonly pointed: number | undefined;
  readonly onPoint: (line: number | undefined) => void;
}

/** What becomes of every row, as many as there are. */
export function PlanRows({ rows, pointed, onPoint }: PlanRowsProps) {
  const { t } = useTranslation('FenceSetting');
  const outcomeName = useOutcomeName();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const shown = useMemo(() => (outcome === '' ? rows : rows.filter((row) => row.outcome === outcome)), [rows, outcome]);
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0, alignContent: 'start' }}>
      <Box>
        <FilterSelect
          label={t('Result')}
          value={outcome}
          onChange={setOutcome}
          options={OUTCOMES.map((value) => ({ value, label: outcomeName(value) }))}
        />
      </Box>
      <Box ref={box} sx={LIST} tabIndex={0} role="group" aria-label={t('Rows in the file')}>
        <Box component="ol" style={{ position: 'relative', height: virtualizer.getTotalSize(), margin: 0, padding: 0 }}>
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const row = shown[index];
            if (row === undefined) return null;
            return (
              <Box
                component="li"
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={shown.length}
                style={{ transform: `translateY(${start}px)` }}
                sx={row.line === pointed ? { ...LINE, bgcolor: 'action.hover' } : LINE}
                onMouseEnter={() => onPoint(row.line)}
                onMouseLeave={() => onPoint(undefined)}
              >
                <Line row={row} outcome={outcomeName(row.outcome)} />
              </Box>
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}

function Line({ row, outcome }: { readonly row: FenceImportRow; readonly outcome: string }) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const faultText = useFaultText();
  const { line, name, kind, faults } = row;
  return (
    <>
      <Box component="span" sx={{ width: 64, flexShrink: 0, color: 'text.secondary', fontSize: 13 }}>
        {t('Row {{line}}', { line })}
      </Box>
      <Chip size="small" variant="outlined" color={COLORS[row.outcome]} label={outcome} sx={{ minWidth: 88 }} />
      <Box component="span" sx={{ flex: '1 1 140px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <strong>{name === '' ? '–' : name}</strong> {kindText(kind)}
        {faults.map((fault) => (
          <Box component="span" key={fault} sx={{ display: 'block', fontSize: 13, color: 'error.main' }}>
            {faultText(fault)}
          </Box>
        ))}
      </Box>
    </>
  );
}

function useOutcomeName(): (outcome: Outcome) => string {
  const { t } = useTranslation('FenceSetting');
  const names = { added: t('Add'), changed: t('Change'), unchanged: t('No change'), refused: t('Reject') };
  return (outcome) => names[outcome];
}

const LIST = {
  height: { xs: 260, md: 360 },
  overflow: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
const LINE = {
  position: 'absolute',
  left: 0,
  right: 0,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-start',
  gap: 1,
  px: 1.5,
  py: 1,
  borderBottom: 1,
  borderColor: 'divider',
  fontSize: 14,
  listStyle: 'none',
} as const;
