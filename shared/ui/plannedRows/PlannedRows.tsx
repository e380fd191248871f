// The rows of an import, before and after it is done, with the outcome of each.
import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../table/FilterSelect.tsx';
import { PlannedRowLine } from './PlannedRowLine.tsx';
import type { PlannedLine, PlannedOutcome, PlannedRow } from './plannedRow.ts';
import { useOutcomeNames } from './useOutcomeNames.ts';

const ROW_PX = 44;

export interface PlannedRowsProps<Row extends PlannedRow> {
  /** What the rows are. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The outcomes whose rows can be shown alone. */
  readonly outcomes: readonly PlannedOutcome[];
  readonly lineOf: (row: Row) => PlannedLine;
  /** CSS pixels; without it the list is as high as its rows, within bounds. */
  readonly height?: { readonly xs: number; readonly md: number };
  readonly isPointed?: (row: Row) => boolean;
  /** The row under the pointer. */
  readonly onPoint?: (row: Row | undefined) => void;
}

/** Shows any number of rows: those out of sight are not in the document. */
export function PlannedRows<Row extends PlannedRow>({ rows, outcomes, height, ...list }: PlannedRowsProps<Row>) {
  const { t } = useTranslation('Table');
  const names = useOutcomeNames();
  const [outcome, setOutcome] = useState<PlannedOutcome | ''>('');
  const shown = useMemo(() => {
    const numbered = rows.map((row, at) => ({ row, at }));
    return outcome === '' ? numbered : numbered.filter(({ row }) => row.outcome === outcome);
  }, [rows, outcome]);
  return (
    <>
      <Box>
        <FilterSelect
          label={t('Result')}
          value={outcome}
          onChange={setOutcome}
          options={outcomes.map((value) => ({ value, label: names[value] }))}
        />
      </Box>
      <RowList shown={shown} sx={height === undefined ? GROWN : { ...LIST, height }} {...list} />
    </>
  );
}

interface RowListProps<Row extends PlannedRow> extends Omit<PlannedRowsProps<Row>, 'rows' | 'outcomes' | 'height'> {
  /** The rows with their numbers among all rows. */
  readonly shown: readonly { readonly row: Row; readonly at: number }[];
  readonly sx: typeof GROWN | (typeof LIST & { readonly height: object });
}

function RowList<Row extends PlannedRow>({ label, shown, sx, lineOf, isPointed, onPoint }: RowListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    // A row keeps its measured height when others are filtered out.
    getItemKey: (index) => shown[index]?.at ?? index,
    overscan: 10,
  });
  return (
    <Box ref={box} sx={sx} tabIndex={0} role="group" aria-label={label}>
      <Box component="ol" style={{ position: 'relative', height: virtualizer.getTotalSize(), margin: 0, padding: 0 }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = shown[index]?.row;
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
              sx={isPointed?.(row) === true ? POINTED : LINE}
              onMouseEnter={() => onPoint?.(row)}
              onMouseLeave={() => onPoint?.(undefined)}
            >
              <PlannedRowLine outcome={row.outcome} line={lineOf(row)} />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

const LIST = { overflow: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 } as const;
const GROWN = { ...LIST, flex: 1, minHeight: 220, maxHeight: 560 } as const;
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
const POINTED = { ...LINE, bgcolor: 'action.hover' } as const;
