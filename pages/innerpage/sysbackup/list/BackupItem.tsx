import Delete from '@mui/icons-material/DeleteOutlined';
import Test from '@mui/icons-material/FactCheckOutlined';
import Download from '@mui/icons-material/FileDownloadOutlined';
import Info from '@mui/icons-material/InfoOutlined';
import ImportParts from '@mui/icons-material/MoveToInboxOutlined';
import Restore from '@mui/icons-material/RestoreOutlined';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import type { BackupState, BackupTestState } from '../../../../shared/protocol/backup/backupWords.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { useIsAdministrator } from '../useIsAdministrator.ts';
import { useBackupTexts, withReason } from '../words/useBackupTexts.ts';
import { useContentTexts } from '../words/useContentTexts.ts';
import { useFaultText } from '../words/useFaultText.ts';
import type { BackupDialogKind } from './BackupDialogs.tsx';

export interface BackupItemProps {
  readonly backup: Backup;
  /** There is one backup or test at a time. */
  readonly isBusy: boolean;
  readonly onTest: () => void;
  readonly onOpen: (kind: BackupDialogKind) => void;
}

export function BackupItem(props: BackupItemProps) {
  const { backup } = props;
  const texts = useBackupTexts();
  const contents = useContentTexts();
  const faultText = useFaultText();
  const facts = useFacts(backup);
  const { state, fault } = backup;
  const note = texts.note(backup);
  const copy = texts.copy(backup);
  return (
    <Box component="li" sx={ITEM}>
      <Box sx={{ display: 'grid', gap: 0.25, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
          <Box component="span" sx={{ fontWeight: 600 }}>
            {texts.name(backup)}
          </Box>
          <Chip size="small" variant="outlined" color={STATE_COLORS[state]} label={texts.states[state]} />
          <Box component="span">{texts.madeBy(backup)}</Box>
        </Box>
        {note !== '' && <Box>{note}</Box>}
        {fault !== '' && <Box>{faultText(fault)}</Box>}
        {facts !== '' && <Box sx={{ color: 'text.secondary' }}>{facts}</Box>}
        <Box sx={{ color: 'text.secondary' }}>
          {withReason(contents.encryption[backup.encryption], contents.contents(backup))}
        </Box>
        {state === 'done' && <Box sx={{ color: TEST_COLORS[backup.test.state] }}>{texts.test(backup)}</Box>}
        {copy !== '' && <Box>{copy}</Box>}
      </Box>
      <ItemActions {...props} />
    </Box>
  );
}

/** Size and rows; '' while there are none. */
function useFacts({ bytes, rows }: Backup): string {
  const { t, i18n } = useTranslation('SystemBackup');
  const numbers = new Intl.NumberFormat(i18n.language);
  if (bytes === 0) return '';
  // The rows of an uploaded backup aren't known until it has been read.
  const rowsText = rows === 0 ? '' : t('Rows: {{number}}', { number: numbers.format(rows) });
  return withReason(bytesText(bytes), rowsText);
}

function ItemActions({ backup, isBusy, onTest, onOpen }: BackupItemProps) {
  const { t } = useTranslation('SystemBackup');
  const name = useBackupTexts().name(backup);
  const isDone = backup.state === 'done';
  const isAdministrator = useIsAdministrator();
  return (
    <Box sx={{ display: 'flex', gap: 0.5, justifySelf: { sm: 'end' } }}>
      <Action
        icon={<Info />}
        label={t('Details of the backup of {{name}}', { name })}
        onClick={() => onOpen('details')}
      />
      <Action
        icon={<Test />}
        label={t('Test the backup of {{name}}', { name })}
        disabled={!isDone || isBusy}
        onClick={onTest}
      />
      <Action
        icon={<Download />}
        label={t('Download the backup of {{name}}', { name })}
        disabled={!isDone || !isAdministrator}
        onClick={() => onOpen('download')}
      />
      <Action
        icon={<Restore />}
        label={t('Restore the backup of {{name}}', { name })}
        disabled={!isDone || isBusy || !isAdministrator}
        onClick={() => onOpen('restore')}
      />
      <Action
        icon={<ImportParts />}
        label={t('Import parts of the backup of {{name}}', { name })}
        disabled={!isDone || isBusy}
        onClick={() => onOpen('parts')}
      />
      <Action
        icon={<Delete />}
        label={t('Delete the backup of {{name}}', { name })}
        disabled={isBusy}
        onClick={() => onOpen('delete')}
      />
    </Box>
  );
}

interface ActionProps {
  readonly icon: ReactElement;
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function Action({ icon, label, disabled = false, onClick }: ActionProps) {
  return (
    <IconButton size="small" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      {icon}
    </IconButton>
  );
}

const STATE_COLORS: Readonly<Record<BackupState, 'default' | 'info' | 'success' | 'error'>> = {
  running: 'info',
  done: 'success',
  failed: 'error',
  canceled: 'default',
};
const TEST_COLORS: Readonly<Record<BackupTestState, string>> = {
  none: 'text.secondary',
  running: 'text.secondary',
  passed: 'success.main',
  failed: 'error.main',
};
const ITEM = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
  alignItems: 'start',
  gap: 1,
  px: 1.5,
  py: 1,
  '& + &': { borderTop: 1, borderColor: 'divider' },
} as const;
