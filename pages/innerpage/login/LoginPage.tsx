import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { useTranslation } from 'react-i18next';
import { Brand } from '../../../shared/ui/Brand.tsx';
import { LanguageSelect } from '../../../shared/ui/LanguageSelect.tsx';
import { useDocumentTitle, useServerInfo } from '../../../shared/ui/serverInfo.ts';
import { visuallyHidden } from '../../../shared/ui/visuallyHidden.ts';
import { LoginForm } from './LoginForm.tsx';

/** Brand, form and language: nothing of the installation but its name is shown to whom has not signed in. */
export function LoginPage() {
  const { t } = useTranslation('Login');
  const { info } = useServerInfo();
  useDocumentTitle(info);
  return (
    <Box component="main" sx={PAGE}>
      <Box component="h1" sx={visuallyHidden}>
        {t('Sign in')}
      </Box>
      <Paper variant="outlined" sx={CARD}>
        <Box sx={HEAD}>
          <Box sx={BRAND}>
            <Brand />
          </Box>
          <LanguageSelect />
        </Box>
        <LoginForm />
      </Paper>
    </Box>
  );
}

const PAGE = {
  display: 'grid',
  placeItems: 'center',
  minHeight: '100%',
  p: { xs: 2, sm: 3 },
} as const;

const CARD = {
  width: '100%',
  maxWidth: 440,
  // Centred a little above the middle, where a dialog is looked for.
  mb: { sm: '8vh' },
  borderRadius: 2,
  overflow: 'hidden',
} as const;

/** A long name has the row for itself. */
const BRAND = { flex: '1 1 auto', minWidth: 0, maxWidth: '100%' } as const;

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
