import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { RecoveryCodes } from '../../../shared/ui/secondFactor/RecoveryCodes.tsx';

export interface RecoveryCodesStepProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodesStep({ codes, onDone }: RecoveryCodesStepProps) {
  const { t } = useTranslation('SecondFactor');
  return (
    <Box sx={{ p: { xs: 2, sm: 3 } }}>
      <RecoveryCodes codes={codes} doneLabel={t("I've saved the codes")} onDone={onDone} />
    </Box>
  );
}
