import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import { useFaultText } from '../words/useFaultText.ts';
import { canTryAgain, type DryRunPhase } from './dryRunPhase.ts';

export interface DryRunStepProps {
  readonly phase: Exclude<DryRunPhase, { readonly kind: 'ready' | 'key' }>;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** The backup is read as if it were restored; nothing changes. Closing ends it. */
export function DryRunStep({ phase, onAgain, onClose }: DryRunStepProps) {
  const { t, i18n } = useTranslation(['SystemBackup', 'Common']);
  const problem = useProblem(phase);
  const rows = phase.kind === 'running' ? phase.rows : 0;
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 1.5, alignContent: 'start' }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        {problem === undefined && (
          <>
            <Box role="status">{t('Reading the backup. Nothing is changed yet.')}</Box>
            <LinearProgress aria-label={t('Reading the backup')} />
            <Box sx={{ fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
              {t('Rows so far: {{number}}', { number: new Intl.NumberFormat(i18n.language).format(rows) })}
            </Box>
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        {problem !== undefined && canTryAgain(phase) && (
          <Button variant="contained" onClick={onAgain}>
            {t('Try again')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** Undefined while the dry run continues. */
function useProblem(phase: DryRunStepProps['phase']): string | undefined {
  const { t } = useTranslation('SystemBackup');
  const faultText = useFaultText();
  switch (phase.kind) {
    case 'asking':
    case 'running':
      return undefined;
    case 'failed':
      return faultText(phase.fault);
    case 'refused':
      return phase.text;
    case 'replaced':
      return t('Another user has ended this preview or started another one.');
  }
}
