import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../../api/client.ts';
import { errorText } from '../../../i18n/errorText.ts';

export interface LoadFailureProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry: () => void;
}

/** Why a part of the panel could not be loaded. What an earlier answer said of it stays below. */
export function LoadFailure({ failure, onRetry }: LoadFailureProps) {
  const { t } = useTranslation('Events');
  const text = failure && errorText(failure);
  if (text === undefined) return null;
  const again = (
    <Button color="inherit" size="small" onClick={onRetry}>
      {t('Try again')}
    </Button>
  );
  return (
    <Alert severity="warning" action={again}>
      {text}
    </Alert>
  );
}
