// What a table says when it has no rows to show, or could not ask for them.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../api/client.ts';
import { errorText } from '../../i18n/errorText.ts';

export interface TableFailureProps {
  readonly failure: ApiFailure;
  /** Whether rows of an earlier answer are still shown. */
  readonly hasRows: boolean;
  readonly onRetry: () => void;
}

export function TableFailure({ failure, hasRows, onRetry }: TableFailureProps) {
  const { t } = useTranslation('Table');
  const retry = (
    <Button color="inherit" size="small" onClick={onRetry}>
      {t('Try again')}
    </Button>
  );
  return (
    <Alert severity="error" action={retry}>
      {errorText(failure)} {hasRows && t('The data shown may be out of date.')}
    </Alert>
  );
}

export interface EmptyTableProps {
  /** A filter leaves nothing over; else there is nothing yet. */
  readonly isNarrowed: boolean;
  /** What to do when there is nothing yet. */
  readonly hint: string;
  readonly action?: ReactNode;
  readonly onClear?: (() => void) | undefined;
  /** The list was to be shown from a day on, which is beyond its end. */
  readonly onClearDay?: (() => void) | undefined;
}

export function EmptyTable({ isNarrowed, hint, action, onClear, onClearDay }: EmptyTableProps) {
  const { t } = useTranslation('Table');
  if (onClearDay !== undefined) {
    return (
      <Box sx={NOTICE}>
        <Typography sx={TEXT}>{t('No results from this date. Select another date.')}</Typography>
        <Button size="small" onClick={onClearDay} sx={{ pointerEvents: 'auto' }}>
          {t('Clear date')}
        </Button>
      </Box>
    );
  }
  return (
    <Box sx={NOTICE}>
      <Typography sx={TEXT}>{isNarrowed ? t('No results. Change the search or filters.') : hint}</Typography>
      {isNarrowed && onClear !== undefined && (
        <Button size="small" onClick={onClear} sx={{ pointerEvents: 'auto' }}>
          {t('Clear all')}
        </Button>
      )}
      {!isNarrowed && <Box sx={{ pointerEvents: 'auto' }}>{action}</Box>}
    </Box>
  );
}

const NOTICE = {
  display: 'grid',
  placeItems: 'center',
  alignContent: 'center',
  gap: 1.5,
  height: '100%',
  p: 2,
} as const;
const TEXT = { color: 'text.secondary', textAlign: 'center', whiteSpace: 'normal' } as const;
