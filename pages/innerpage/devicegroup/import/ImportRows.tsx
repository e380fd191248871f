import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOutcome, ImportRow } from '../../../../shared/protocol/api/deviceImport.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useFaultText } from './faultText.ts';

const OUTCOMES = ['refused', 'changed', 'added', 'unchanged'] as const;
const COLORS = { refused: 'error', changed: 'warning', added: 'success', unchanged: 'default' } as const;
const ROW_PX = 44;

/** What becomes of every row, as many as there are. */
export function ImportRows({ rows }: { readonly rows: readonly ImportRow[] }) {
  const { t } = useTranslation('DeviceGroup');
  const outcomeName = useOutcomeName();
  const [outcome, setOutcome] = useState<ImportOutcome | ''>('');
  const shown = useMemo(() => (outcome === '' ? rows : rows.filter((row) => row.outcome === outcome)), [rows, outcome]);
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <>
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
                sx={LINE}
              >
                <Line row={row} outcomeName={outcomeName} />
              </Box>
            );
          })}
        </Box>
      </Box>
    </>
  );
}

function Line({
  row,
  outcomeName,
}: {
  readonly row: ImportRow;
  readonly outcomeName: (outcome: ImportOutcome) => string;
}) {
  const { t } = useTranslation('DeviceGroup');
  const faultText = useFaultText();
  const { line, deviceid, name, outcome, changes, faults } = row;
  return (
    <>
      <Box component="span" sx={{ width: 64, flexShrink: 0, color: 'text.secondary', fontSize: 13 }}>
        {t('Line {{line}}', { line })}
      </Box>
      <Chip
        size="small"
        variant="outlined"
        color={COLORS[outcome]}
        label={outcomeName(outcome)}
        sx={{ minWidth: 88 }}
      />
      <Box component="span" sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <strong>{deviceid === '' ? '–' : deviceid}</strong> {name}
        {changes.map(({ column, from, to }) => (
          <Box component="span" key={column} sx={DETAIL}>
            {`${column}: `}
            <del>{from === '' ? '–' : from}</del>
            {' → '}
            <ins>{to === '' ? '–' : to}</ins>
          </Box>
        ))}
        {faults.map((fault) => (
          <Box component="span" key={`${fault.column}/${fault.code}`} sx={{ ...DETAIL, color: 'error.main' }}>
            {faultText(fault)}
          </Box>
        ))}
      </Box>
    </>
  );
}

function useOutcomeName(): (outcome: ImportOutcome) => string {
  const { t } = useTranslation('DeviceGroup');
  const names = { added: t('Add'), changed: t('Change'), unchanged: t('No change'), refused: t('Reject') };
  return (outcome) => names[outcome];
}

const LIST = {
  flex: 1,
  minHeight: 220,
  maxHeight: 560,
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
const DETAIL = {
  display: 'block',
  fontSize: 13,
  '& del': { color: 'text.secondary' },
  '& ins': { textDecoration: 'none', fontWeight: 600 },
} as const;
