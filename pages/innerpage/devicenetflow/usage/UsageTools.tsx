import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import type { UseRange } from '../netflowAddress.ts';

export type UseLook = 'chart' | 'table';

export interface UsageToolsProps {
  readonly range: UseRange;
  readonly ranges: readonly Option<UseRange>[];
  readonly look: UseLook;
  /** '' while it isn't known. */
  readonly total: string;
  readonly onRange: (range: UseRange) => void;
  readonly onLook: (look: UseLook) => void;
  /** The files. */
  readonly children: ReactNode;
}

/** Which time is shown, and how. */
export function UsageTools({ range, ranges, look, total, onRange, onLook, children }: UsageToolsProps) {
  const { t } = useTranslation('Netflow');
  return (
    <Box sx={TOOLS}>
      <TextField
        select
        size="small"
        label={t('Period')}
        value={range}
        onChange={(event) => onRange(ranges.find(({ value }) => value === event.target.value)?.value ?? range)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ minWidth: 150 }}
      >
        {ranges.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </TextField>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={look}
        aria-label={t('Show as')}
        onChange={(_, next: UseLook | null) => next !== null && onLook(next)}
      >
        <ToggleButton value="chart" sx={TOGGLE}>
          {t('Chart')}
        </ToggleButton>
        <ToggleButton value="table" sx={TOGGLE}>
          {t('Table')}
        </ToggleButton>
      </ToggleButtonGroup>
      <Box sx={{ flex: 1, minWidth: 120, fontVariantNumeric: 'tabular-nums' }}>
        {total !== '' && t('Total: {{bytes}}', { bytes: total })}
      </Box>
      {children}
    </Box>
  );
}

const TOOLS = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, flexShrink: 0 } as const;
const TOGGLE = { textTransform: 'none', px: 1.5, height: 40 } as const;
