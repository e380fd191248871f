import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { BackupList, BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useBackupTexts, withReason } from '../words/useBackupTexts.ts';
import { useFaultText } from '../words/useFaultText.ts';
import { type HeadWarning, headWarnings, lastEnded } from './headFacts.ts';

export interface BackupHeadProps {
  readonly list: BackupList;
  readonly plan: BackupPlan;
}

/** Whether the installation could be had back, in a few lines. */
export function BackupHead({ list, plan }: BackupHeadProps) {
  const { t } = useTranslation('SystemBackup');
  const zone = useUserZone();
  const texts = useBackupTexts();
  const faultText = useFaultText();
  const last = lastEnded(list.backups);
  const lastText = last && `${texts.name(last)} · ${withReason(texts.states[last.state], faultText(last.fault))}`;
  const facts = [
    [t('Next backup'), list.nextRunAtMs === 0 ? t('Not scheduled') : formatTimestamp(list.nextRunAtMs, zone)],
    [t('Last backup'), lastText ?? t('None')],
    [t('Its test'), last?.state === 'done' ? texts.test(last) : ''],
    [t('Backup folder'), list.folder],
  ] as const;
  return (
    <Box component="section" aria-label={t('Overview')} sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
      <FactList facts={facts} />
      <Box sx={{ overflowWrap: 'anywhere', maxWidth: '90ch' }}>
        {t('Recordings are never in a backup. They stay in {{folder}}, which you need to save yourself.', {
          folder: list.recordingFolder,
        })}
      </Box>
      <Warnings warnings={headWarnings(list, plan)} />
    </Box>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly HeadWarning[] }) {
  const { t } = useTranslation('SystemBackup');
  const texts: Readonly<Record<HeadWarning, string>> = {
    'no-plan': t('Scheduled backups are off. Turn them on on the Plan tab.'),
    'not-encrypted': t(
      "Backups aren't encrypted, so keys and certificates are left out. Set up encryption on the Plan tab.",
    ),
    'same-disk': t(
      'Backups are on the same disk as the data. Set BACKUP_DIR to a folder on another disk, such as a network share.',
    ),
  };
  return warnings.map((warning) => (
    <Alert key={warning} severity="warning">
      {texts[warning]}
    </Alert>
  ));
}
