import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../files/saveFile.ts';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** What the user does once they are kept somewhere. */
  readonly doneLabel: string;
  readonly onDone: () => void;
}

/** The one time that they are shown. */
export function RecoveryCodes({ codes, doneLabel, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation('SecondFactor');
  const save = () => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="warning">
        {t(
          "Keep these recovery codes in a safe place. Each one signs you in once without your phone. They aren't shown again.",
        )}
      </Alert>
      <Box component="ul" aria-label={t('Recovery codes')} sx={LIST}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={save}>{t('Download')}</Button>
        <Button variant="contained" onClick={onDone}>
          {doneLabel}
        </Button>
      </Box>
    </Box>
  );
}

const LIST = {
  m: 0,
  p: 1.5,
  listStyle: 'none',
  fontFamily: 'monospace',
  fontSize: 14,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  display: 'grid',
  gap: 0.5,
  gridTemplateColumns: 'repeat(auto-fill, minmax(175px, 1fr))',
} as const;
