import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { getSecondFactor } from '../../../../shared/api/accounts/account.ts';
import { MAX_RESTORE_TITLE, type RestorePlan } from '../../../../shared/protocol/api/system/restore.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { ProofFields } from '../../../../shared/ui/secondFactor/ProofFields.tsx';
import { useServerInfo } from '../../../../shared/ui/serverInfo.ts';
import { titleOf } from '../../../../shared/ui/title.ts';
import type { RestoreKeep } from './restoreKeep.ts';
import { useConfirmation } from './useConfirmation.ts';

export interface ConfirmStepProps {
  readonly plan: RestorePlan;
  readonly keep: RestoreKeep;
  readonly onBegun: () => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Nobody restores the wrong installation, and nobody but who signed in restores one. */
export function ConfirmStep({ plan, keep, onBegun, onBack, onClose }: ConfirmStepProps) {
  const { t } = useTranslation(['SystemBackup', 'Common']);
  const { info } = useServerInfo();
  const title = titleOf(info);
  const factor = useRecord({ key: ['second-factor'], load: getSecondFactor });
  const form = useConfirmation({ plan: plan.id, keep, title, setTitle: info?.web_title?.trim() ?? '', onBegun });
  const withCode = factor.value?.isEnrolled === true || form.proofProblems.code !== undefined;
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {form.failure !== undefined && <Alert severity="error">{form.failure}</Alert>}
        <DialogContentText>
          {t(
            'All data is replaced with the backup. The current state is backed up first. Meanwhile {{title}} is unavailable and terminals are disconnected. Afterwards, all members have to sign in again.',
            { title },
          )}
        </DialogContentText>
        <TextField
          autoFocus
          fullWidth
          label={t('Title of this site')}
          name="title"
          autoComplete="off"
          value={form.typed}
          onChange={(event) => form.type(event.target.value)}
          error={form.titleProblem !== undefined}
          helperText={form.titleProblem ?? t('Enter {{title}} to confirm.', { title })}
          slotProps={{ htmlInput: { maxLength: MAX_RESTORE_TITLE, spellCheck: false } }}
        />
        <ProofFields
          proof={form.proof}
          onChange={form.setProof}
          withCode={withCode}
          problems={form.proofProblems}
          autoFocus={false}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onBack} disabled={form.isBusy}>
          {t('Back')}
        </Button>
        <Button onClick={onClose} disabled={form.isBusy}>
          {t('Cancel', { ns: 'Common' })}
        </Button>
        <Button type="submit" variant="contained" color="error" loading={form.isBusy}>
          {t('Restore')}
        </Button>
      </DialogActions>
    </Box>
  );
}
