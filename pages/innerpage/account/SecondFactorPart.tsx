import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getSecondFactor } from '../../../shared/api/accounts/account.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { SecondFactorState } from '../../../shared/protocol/api/ownAccount.ts';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';

const EnrolDialog = lazyPart('EnrolDialog', async () => (await import('./EnrolDialog.tsx')).EnrolDialog);
const RemoveDialog = lazyPart('RemoveDialog', async () => (await import('./RemoveDialog.tsx')).RemoveDialog);

export function SecondFactorPart() {
  const { value, failure, reload } = useRecord({ key: ['second-factor'], load: getSecondFactor });
  const [dialog, setDialog] = useState<'enrol' | 'remove'>();
  const close = () => {
    setDialog(undefined);
    reload();
  };
  if (value === undefined) {
    return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <StateText state={value} />
      <FactorButtons state={value} onChoose={setDialog} />
      <Suspense fallback={null}>
        {dialog === 'enrol' && <EnrolDialog isEnrolled={value.isEnrolled} onClose={close} />}
        {dialog === 'remove' && <RemoveDialog onClose={close} />}
      </Suspense>
    </Box>
  );
}

function StateText({ state }: { readonly state: SecondFactorState }) {
  const { t } = useTranslation('Account');
  if (!state.isEnrolled) {
    return (
      <Typography sx={{ fontSize: 14 }}>
        {t("Off. Turn it on to require a code from your phone too, so a stolen password isn't enough.")}
      </Typography>
    );
  }
  return (
    <>
      <Typography sx={{ fontSize: 14 }}>
        {t('On. Recovery codes left: {{count}}.', { count: state.recoveryCodesLeft })}
      </Typography>
      {state.recoveryCodesLeft < FEW_CODES && (
        <Alert severity="warning">{t('Only a few recovery codes are left. Set up again to get new ones.')}</Alert>
      )}
    </>
  );
}

const FEW_CODES = 3;

interface FactorButtonsProps {
  readonly state: SecondFactorState;
  readonly onChoose: (dialog: 'enrol' | 'remove') => void;
}

function FactorButtons({ state, onChoose }: FactorButtonsProps) {
  const { t } = useTranslation('Account');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <Button variant={state.isEnrolled ? 'outlined' : 'contained'} size="small" onClick={() => onChoose('enrol')}>
        {state.isEnrolled ? t('Set up again') : t('Set up')}
      </Button>
      {state.isEnrolled && !state.isRequired && (
        <Button color="error" size="small" onClick={() => onChoose('remove')}>
          {t('Turn off')}
        </Button>
      )}
    </Box>
  );
}
