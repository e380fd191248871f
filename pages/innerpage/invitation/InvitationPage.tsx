import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Brand } from '../../../shared/ui/Brand.tsx';
import { LanguageSelect } from '../../../shared/ui/LanguageSelect.tsx';
import { RecordsProvider } from '../../../shared/ui/records/RecordsProvider.tsx';
import { useDocumentTitle, useServerInfo } from '../../../shared/ui/serverInfo.ts';
import { InvitationForm } from './InvitationForm.tsx';

/** The page of a one-time link: the invited person sets a password. */
export function InvitationPage() {
  const { t } = useTranslation('Invitation');
  const { info } = useServerInfo();
  useDocumentTitle(info);
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100%', p: { xs: 2, sm: 3 } }}>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 440, mb: { sm: '8vh' }, borderRadius: 2 }}>
        <Box sx={HEAD}>
          <Brand />
          <LanguageSelect />
        </Box>
        <Box sx={{ display: 'grid', gap: 2.25, p: { xs: 2, sm: 3 } }}>
          <Typography component="h1" sx={{ fontSize: 18, fontWeight: 650 }}>
            {t('Set your password')}
          </Typography>
          <RecordsProvider>
            <InvitationForm />
          </RecordsProvider>
        </Box>
      </Paper>
    </Box>
  );
}

const HEAD = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 1.5,
  px: { xs: 2, sm: 3 },
  py: 2,
  borderBottom: 1,
  borderColor: 'divider',
} as const;
