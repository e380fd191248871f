import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../../../shared/ui/copy/CopyField.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';

const ROWS = 3;

export interface RecoveryKeyDialogProps {
  readonly recoveryKey: string;
  readonly onClose: () => void;
}

/** The one time that the key is shown: not lost by a click beside the dialog or by Escape. */
export function RecoveryKeyDialog({ recoveryKey, onClose }: RecoveryKeyDialogProps) {
  const { t } = useTranslation(['SystemBackup', 'Common']);
  const [isWritten, setWritten] = useState(false);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Recovery key')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <Alert severity="warning">
          {t(
            "Keep this key away from this server. Without it, no backup can be restored elsewhere. It isn't shown again.",
          )}
        </Alert>
        <CopyField label={t('Recovery key')} text={recoveryKey} rows={ROWS} />
        <FormControlLabel
          control={<Checkbox checked={isWritten} onChange={(_, checked) => setWritten(checked)} />}
          label={t("I've written it down")}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" disabled={!isWritten} onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
