import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { tookText } from '../words/tookText.ts';
import { useBackupTexts, withReason } from '../words/useBackupTexts.ts';
import { ENGINE_NAMES, useContentTexts } from '../words/useContentTexts.ts';
import { useFaultText } from '../words/useFaultText.ts';

export interface DetailsDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

export function DetailsDialog({ backup, onClose }: DetailsDialogProps) {
  const { t } = useTranslation(['SystemBackup', 'Common']);
  const texts = useBackupTexts();
  const titleId = useId();
  const isNarrow = useIsNarrow();
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Backup of {{name}}', { name: texts.name(backup) })}</DialogTitle>
      {/* On a phone its text scrolls, which the keyboard does where the focus is. */}
      <DialogContent tabIndex={0} aria-labelledby={titleId}>
        <FactList facts={useDetails(backup)} />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button autoFocus onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useDetails(backup: Backup): readonly (readonly [name: string, text: string])[] {
  const { t, i18n } = useTranslation('SystemBackup');
  const texts = useBackupTexts();
  const contents = useContentTexts();
  const faultText = useFaultText();
  const { createdAtMs, endedAtMs, schemaVersion, rows, isUploaded } = backup;
  // How long the making of an uploaded one took, another server knows.
  const isTimed = !isUploaded && endedAtMs > createdAtMs;
  return [
    [t('State'), withReason(texts.states[backup.state], faultText(backup.fault))],
    [t('Test'), backup.state === 'done' ? texts.test(backup) : ''],
    [t('Copy'), texts.copy(backup)],
    [t('Made'), texts.madeBy(backup)],
    [t('Note'), texts.note(backup)],
    [t('Duration'), isTimed ? tookText(endedAtMs - createdAtMs) : ''],
    [t('Contents'), contents.contents(backup)],
    [t('Encryption'), contents.encryption[backup.encryption]],
    [t('Rows'), rows === 0 ? '' : new Intl.NumberFormat(i18n.language).format(rows)],
    [t('Size'), bytesText(backup.bytes)],
    [t('Version'), backup.productVersion],
    [t('Database schema'), schemaVersion === 0 ? '' : String(schemaVersion)],
    [t('Database'), ENGINE_NAMES[backup.engine] ?? backup.engine],
    [t('File'), backup.file],
    ['SHA-256', backup.sha256],
  ];
}
