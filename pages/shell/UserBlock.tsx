import KeyIcon from '@mui/icons-material/KeyOutlined';
import LogoutIcon from '@mui/icons-material/LogoutOutlined';
import AccountIcon from '@mui/icons-material/ManageAccountsOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OWN_PAGE } from '../../shared/protocol/menuPages.ts';
import { ChunkBoundary, lazyPart } from '../../shared/ui/chunks.tsx';
import { leaveFramesAfterAsking } from '../../shared/ui/form/unsaved.ts';
import { goToPage } from './address.ts';
import { pageLink } from './pageLink.ts';
import { logOutAndLeave } from './toSignIn.ts';

const PasswordDialog = lazyPart('PasswordDialog', async () => (await import('./PasswordDialog.tsx')).PasswordDialog);

export interface UserBlockProps {
  readonly username: string;
}

/** Logo, who is signed in, and what they can do about it. */
export function UserBlock({ username }: UserBlockProps) {
  const { t } = useTranslation(['Common', 'Shell', 'TopBar', 'Menu']);
  const [isChanging, setChanging] = useState(false);
  return (
    <Box sx={{ display: 'grid', gap: 1.25, px: 2, py: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
        <img src="/logo.svg" alt={t('Logo', { ns: 'TopBar' })} width={36} height={36} />
        <Typography sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: 'anywhere', lineHeight: 1.3 }}>
          {username}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button
          fullWidth
          size="small"
          variant="outlined"
          startIcon={<LogoutIcon />}
          onClick={() => leaveFramesAfterAsking(() => void logOutAndLeave())}
        >
          {t('Logout')}
        </Button>
        <Tooltip title={t('My account', { ns: 'Menu' })}>
          <IconButton size="small" aria-label={t('My account', { ns: 'Menu' })} {...pageLink(OWN_PAGE, goToPage)}>
            <AccountIcon fontSize="small" aria-hidden="true" />
          </IconButton>
        </Tooltip>
        <Tooltip title={t('Change password', { ns: 'Shell' })}>
          <IconButton size="small" aria-label={t('Change password', { ns: 'Shell' })} onClick={() => setChanging(true)}>
            <KeyIcon fontSize="small" aria-hidden="true" />
          </IconButton>
        </Tooltip>
      </Box>
      {isChanging && (
        <ChunkBoundary>
          <Suspense fallback={null}>
            <PasswordDialog onClose={() => setChanging(false)} />
          </Suspense>
        </ChunkBoundary>
      )}
    </Box>
  );
}
