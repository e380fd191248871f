import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { NotificationsPart } from './notify/NotificationsPart.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SecondFactorPart } from './SecondFactorPart.tsx';

/** What users see and change of their own account, whatever else they may do. */
export function AccountPage() {
  const { t } = useTranslation(['Account', 'Menu']);
  return (
    <Frame title={t('My account', { ns: 'Menu' })}>
      {() => (
        <Box sx={{ display: 'grid', gap: 2, maxWidth: 760, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Part title={t('Profile')}>
            <ProfileForm />
          </Part>
          <Part title={t('Notifications')}>
            <NotificationsPart />
          </Part>
          <Part title={t('Two-factor authentication')}>
            <SecondFactorPart />
          </Part>
          <Part title={t('Active sessions')}>
            <OwnSessions />
          </Part>
        </Box>
      )}
    </Frame>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ p: { xs: 1.5, sm: 2.5 }, borderRadius: 2 }}
    >
      <Typography id={id} component="h2" sx={{ fontSize: 16, fontWeight: 650, mb: 1.5 }}>
        {title}
      </Typography>
      {children}
    </Paper>
  );
}
