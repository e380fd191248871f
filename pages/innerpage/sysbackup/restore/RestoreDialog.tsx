import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { useBackupTexts } from '../words/useBackupTexts.ts';
import { ConfirmStep } from './ConfirmStep.tsx';
import { DryRunStep } from './DryRunStep.tsx';
import { KeyStep } from './KeyStep.tsx';
import { PreviewStep } from './PreviewStep.tsx';
import { RestoringStep } from './RestoringStep.tsx';
import { KEEP_ALL } from './restoreKeep.ts';
import { useDryRun } from './useDryRun.ts';

export interface RestoreDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

type Step = 'preview' | 'confirm' | 'restoring';

/** The key where it is needed, what would happen, the confirmation, and then nothing but waiting. */
export function RestoreDialog({ backup, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('SystemBackup');
  const { phase, begin, leave } = useDryRun(backup.id);
  const [step, setStep] = useState<Step>('preview');
  const [keep, setKeep] = useState(KEEP_ALL);
  const name = useBackupTexts().name(backup);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const close = () => {
    leave();
    onClose();
  };
  // What is being restored isn't left by a click beside the dialog.
  const dismiss = step === 'restoring' ? {} : { onClose: close };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" aria-labelledby={titleId} {...dismiss}>
      <DialogTitle id={titleId}>{t('Restore the backup of {{name}}', { name })}</DialogTitle>
      {phase.kind === 'ready' ? (
        <>
          {step === 'preview' && (
            <PreviewStep
              plan={phase.plan}
              keep={keep}
              onKeep={setKeep}
              onNext={() => setStep('confirm')}
              onClose={close}
            />
          )}
          {step === 'confirm' && (
            <ConfirmStep
              plan={phase.plan}
              keep={keep}
              onBegun={() => setStep('restoring')}
              onBack={() => setStep('preview')}
              onClose={close}
            />
          )}
          {step === 'restoring' && <RestoringStep onEnded={onClose} />}
        </>
      ) : phase.kind === 'key' ? (
        <KeyStep backup={backup} isWrong={phase.isWrong} onKey={begin} onClose={close} />
      ) : (
        <DryRunStep phase={phase} onAgain={() => begin('')} onClose={close} />
      )}
    </Dialog>
  );
}
