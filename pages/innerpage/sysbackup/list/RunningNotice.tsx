import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelBackup } from '../../../../shared/api/backup/backups.ts';
import type { RunningBackup } from '../../../../shared/protocol/api/system/backups.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { notifyFailure } from '../../../../shared/ui/notifications.tsx';

export interface RunningNoticeProps {
  readonly running: RunningBackup;
  readonly onChanged: () => void;
}

/** How far a backup, its test or the taking of an uploaded one is. Nobody knows beforehand how many rows there will be. */
export function RunningNotice({ running, onChanged }: RunningNoticeProps) {
  const { t, i18n } = useTranslation(['SystemBackup', 'Common']);
  const [isBusy, setBusy] = useState(false);
  const { id, does, rows, bytes } = running;
  const titles = {
    write: t('Backing up…'),
    test: t('Testing the backup…'),
    take: t('Adding the uploaded backup…'),
  };
  const title = titles[does];
  // An encrypted one that was uploaded is only bytes.
  const rowsText = t('Rows so far: {{number}}', { number: new Intl.NumberFormat(i18n.language).format(rows) });
  const shown = [does === 'take' && rows === 0 ? '' : rowsText, bytes === 0 ? '' : bytesText(bytes)];
  const cancel = async () => {
    setBusy(true);
    const result = await cancelBackup(id);
    setBusy(false);
    if (!result.ok) notifyFailure(result);
    onChanged();
  };
  const action = (
    <Button color="inherit" size="small" loading={isBusy} onClick={() => void cancel()}>
      {t('Cancel', { ns: 'Common' })}
    </Button>
  );
  return (
    <Alert
      severity="info"
      role="group"
      aria-label={title}
      action={action}
      sx={{ '& .MuiAlert-message': { flex: 1, minWidth: 0 } }}
    >
      {title}
      <LinearProgress aria-label={title} sx={{ my: 0.75 }} />
      <Box aria-live="off" sx={{ fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
        {shown.filter((text) => text !== '').join(' · ')}
      </Box>
    </Alert>
  );
}
