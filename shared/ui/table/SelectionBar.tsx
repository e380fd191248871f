import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface SelectionBarProps {
  /** Names the part of the page. */
  readonly label: string;
  readonly count: number;
  /** What can be done to the selected rows at once. */
  readonly children: ReactNode;
  readonly onClear: () => void;
  /** It is part of the list, not above it. */
  readonly isInList?: boolean;
}

/** What stands with a table as long as rows of it are selected. */
export function SelectionBar({ label, count, children, onClear, isInList = false }: SelectionBarProps) {
  const { t } = useTranslation('Table');
  return (
    <Box component="section" aria-label={label} sx={{ ...BAR, ...(isInList ? IN_LIST : ABOVE) }}>
      <Box component="span" role="status" sx={{ fontWeight: 650 }}>
        {t('Selected: {{number}}', { number: count })}
      </Box>
      {children}
      <Button size="small" onClick={onClear} sx={{ ml: 'auto' }}>
        {t('Clear selection')}
      </Button>
    </Box>
  );
}

const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  px: 1.5,
  py: 0.75,
  fontSize: 14,
} as const;
const ABOVE = { borderRadius: 1, backgroundColor: 'action.selected' } as const;
const IN_LIST = { borderBottom: 1, borderColor: 'divider', backgroundColor: 'background.default' } as const;
