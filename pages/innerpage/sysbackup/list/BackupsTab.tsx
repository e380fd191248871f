import Backup from '@mui/icons-material/BackupOutlined';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testBackup } from '../../../../shared/api/backup/backups.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import type { BackupList, Backup as BackupRecord } from '../../../../shared/protocol/api/system/backups.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { useIsAdministrator } from '../useIsAdministrator.ts';
import { BackupDialogs, type OpenedDialog } from './BackupDialogs.tsx';
import { BackupItem } from './BackupItem.tsx';
import { RunningNotice } from './RunningNotice.tsx';

export interface BackupsTabProps {
  readonly list: BackupList;
  readonly onChanged: () => void;
}

export function BackupsTab({ list, onChanged }: BackupsTabProps) {
  const { t } = useTranslation('SystemBackup');
  const [opened, setOpened] = useState<OpenedDialog>();
  const { backups, running } = list;
  const isAdministrator = useIsAdministrator();
  const close = () => {
    setOpened(undefined);
    onChanged();
  };
  const test = async (backup: BackupRecord) => {
    const askForKey = () => setOpened({ kind: 'test', backup });
    // The installation has no key for an uploaded backup.
    if (backup.isUploaded && backup.encryption !== 'none') return askForKey();
    const result = await testBackup(backup.id, '');
    if (result.ok) notify('info', t('Test started.'));
    else if (refusedFields(result).key !== undefined) askForKey();
    else notifyFailure(result);
    onChanged();
  };
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5, pb: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="contained"
          size="small"
          startIcon={<Backup />}
          disabled={running !== null}
          onClick={() => setOpened({ kind: 'make' })}
        >
          {t('Back up now')}
        </Button>
        <Button size="small" startIcon={<UploadFile />} onClick={() => setOpened({ kind: 'upload' })}>
          {t('Upload backup')}
        </Button>
      </Box>
      {!isAdministrator && (
        <Box sx={{ color: 'text.secondary' }}>{t('Restores and downloads need all permissions.')}</Box>
      )}
      {running !== null && <RunningNotice running={running} onChanged={onChanged} />}
      {backups.length === 0 && <Box>{t('No backups yet. Make one now, or set up the plan.')}</Box>}
      {backups.length > 0 && (
        <Box component="ul" aria-label={t('Backups')} sx={LIST}>
          {backups.map((backup) => (
            <BackupItem
              key={backup.id}
              backup={backup}
              isBusy={running !== null}
              onTest={() => void test(backup)}
              onOpen={(kind) => setOpened({ kind, backup })}
            />
          ))}
        </Box>
      )}
      {opened !== undefined && <BackupDialogs opened={opened} onClose={close} />}
    </Box>
  );
}

const LIST = { listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1 } as const;
