import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PartOutcome, PartRow } from '../../../../shared/protocol/api/system/backupParts.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { type PartTexts, usePartTexts } from './usePartTexts.ts';

const OUTCOMES = ['refused', 'changed', 'added'] as const;
const COLORS = { refused: 'error', changed: 'warning', added: 'success', unchanged: 'default' } as const;

/** What becomes of each record, and what has become of it. */
export function PartRows({ rows }: { readonly rows: readonly PartRow[] }) {
  const { t } = useTranslation('BackupParts');
  const texts = usePartTexts();
  const [outcome, setOutcome] = useState<PartOutcome | ''>('');
  // Two rows may have one name: those that a backup has twice.
  const numbered = rows.map((row, at) => ({ row, at }));
  const shown = numbered.filter(({ row }) => outcome === '' || row.outcome === outcome);
  return (
    <>
      <Box>
        <FilterSelect
          label={t('Result')}
          value={outcome}
          onChange={setOutcome}
          options={OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] }))}
        />
      </Box>
      <Box sx={LIST} tabIndex={0} role="group" aria-label={t('Records in the backup')}>
        <Box component="ol" sx={{ m: 0, p: 0 }}>
          {shown.map(({ row, at }) => (
            <Box component="li" key={at} sx={LINE}>
              <Line row={row} texts={texts} />
            </Box>
          ))}
        </Box>
      </Box>
    </>
  );
}

function Line({ row, texts }: { readonly row: PartRow; readonly texts: PartTexts }) {
  const { record, name, outcome, changes, faults, result } = row;
  const hasFailed = result !== '' && result !== 'done';
  return (
    <>
      <Chip size="small" variant="outlined" color={COLORS[outcome]} label={texts.outcomes[outcome]} sx={CHIP} />
      <Box component="span" sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
        {texts.records[record]} <strong>{name}</strong>
        {changes.map(({ field, from, to }) => (
          <Box component="span" key={field} sx={DETAIL}>
            {`${field}: `}
            <del>{from === '' ? '–' : from}</del>
            {' → '}
            <ins>{to === '' ? '–' : to}</ins>
          </Box>
        ))}
        {faults.map((fault) => (
          <Box component="span" key={`${fault.field}/${fault.code}/${fault.value}`} sx={FAULT}>
            {texts.fault(fault)}
          </Box>
        ))}
        {hasFailed && (
          <Box component="span" sx={FAULT}>
            {texts.result(result)}
          </Box>
        )}
      </Box>
    </>
  );
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
const CHIP = { minWidth: 88 } as const;
const DETAIL = {
  display: 'block',
  fontSize: 13,
  '& del': { color: 'text.secondary' },
  '& ins': { textDecoration: 'none', fontWeight: 600 },
} as const;
const FAULT = { ...DETAIL, color: 'error.main' } as const;
