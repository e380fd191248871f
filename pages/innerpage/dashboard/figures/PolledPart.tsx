import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { LoadedRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';

export interface PolledPartProps<T> {
  readonly figures: LoadedRecord<T>;
  readonly children: (value: T) => ReactNode;
}

/** Figures once there are any, and a word when they are not of now. */
export function PolledPart<T>({ figures: { value, failure, reload }, children }: PolledPartProps<T>) {
  const { t } = useTranslation('Table');
  if (value === undefined && failure === undefined) return <Waiting />;
  const again = (
    <Button color="inherit" size="small" onClick={reload}>
      {t('Try again')}
    </Button>
  );
  return (
    <>
      {failure !== undefined && (
        <Alert severity={value === undefined ? 'error' : 'warning'} action={again} sx={{ gridColumn: '1 / -1' }}>
          {errorText(failure)} {value !== undefined && t('The data shown may be out of date.')}
        </Alert>
      )}
      {value !== undefined && children(value)}
    </>
  );
}
