import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { TotpEnrolment } from '../../protocol/api/signIn.ts';
import { QrCode } from '../QrCode.tsx';

/** What an authenticator app is to be given: by its camera, or typed in. */
export function AppSetUp({ enrolment }: { readonly enrolment: TotpEnrolment }) {
  const { t } = useTranslation('SecondFactor');
  const inFours = enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'center' }}>
      <Typography sx={{ fontSize: 14, justifySelf: 'start' }}>
        {t('Scan this QR code with an authenticator app on your phone.')}
      </Typography>
      <QrCode text={enrolment.address} label={t('QR code for the authenticator app')} />
      <Typography sx={{ fontSize: 13, color: 'text.secondary', justifySelf: 'start' }}>
        {t("Can't scan it? Enter this key in the app:")}
      </Typography>
      <Box component="code" data-testid="secret" sx={{ fontSize: 14, overflowWrap: 'anywhere', justifySelf: 'start' }}>
        {inFours}
      </Box>
    </Box>
  );
}
