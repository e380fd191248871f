import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import type { PlannedLine, PlannedOutcome } from './plannedRow.ts';
import { useOutcomeNames } from './useOutcomeNames.ts';

const COLORS = { refused: 'error', changed: 'warning', added: 'success', unchanged: 'default' } as const;
const NOTHING = '–';

export interface PlannedRowLineProps {
  readonly outcome: PlannedOutcome;
  readonly line: PlannedLine;
}

export function PlannedRowLine({ outcome, line }: PlannedRowLineProps) {
  const { place, name, changes = [], faults } = line;
  const names = useOutcomeNames();
  return (
    <>
      {place !== undefined && (
        <Box component="span" sx={PLACE}>
          {place}
        </Box>
      )}
      <Chip size="small" variant="outlined" color={COLORS[outcome]} label={names[outcome]} sx={{ minWidth: 88 }} />
      <Box component="span" sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
        {changes.map(({ field, from, to }) => (
          <Box component="span" key={`${field}/${from}/${to}`} sx={DETAIL}>
            {`${field}: `}
            <del>{from === '' ? NOTHING : from}</del>
            {' → '}
            <ins>{to === '' ? NOTHING : to}</ins>
          </Box>
        ))}
        {[...new Set(faults)].map((fault) => (
          <Box component="span" key={fault} sx={FAULT}>
            {fault}
          </Box>
        ))}
      </Box>
    </>
  );
}

const PLACE = { width: 64, flexShrink: 0, color: 'text.secondary', fontSize: 13 } as const;
const DETAIL = {
  display: 'block',
  fontSize: 13,
  '& del': { color: 'text.secondary' },
  '& ins': { textDecoration: 'none', fontWeight: 600 },
} as const;
const FAULT = { ...DETAIL, color: 'error.main' } as const;
