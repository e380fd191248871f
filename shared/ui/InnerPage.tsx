// The common part of every page that the shell frames: top bar, container, session.
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../api/pageFlags.ts';
import { signInAddress } from '../api/signIn.ts';
import type { UserStatus } from '../protocol/api.ts';
import type { SearchProps } from './SearchInput.tsx';
import { useDocumentTitle, useServerInfo } from './serverInfo.ts';
import { tellShellSignedOut, useSession, useSessionHints } from './session.ts';
import { isFramedByOwnSite } from './shellWindow.ts';
import { TopBar } from './TopBar.tsx';

export interface InnerPageProps {
  /** Switches the top bar's search on. */
  readonly search?: SearchProps | undefined;
  /** What the page shows once it is known who is there. */
  readonly children: (status: UserStatus) => ReactNode;
}

export function InnerPage({ search, children }: InnerPageProps) {
  const { info } = useServerInfo();
  const session = useSession();
  useDocumentTitle(info);
  useSessionHints();
  useEffect(() => {
    if (session.kind === 'signed-out') leave();
  }, [session.kind]);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <TopBar search={search} hidden={pageFlags().nontop} />
      <PageContainer>{session.kind === 'signed-in' ? children(session.status) : <Waiting />}</PageContainer>
    </Box>
  );
}

/** The page's `main` with the standard padding, which `nontop` drops. */
export function PageContainer({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="main" sx={{ flex: 1, minWidth: 0, p: pageFlags().nontop ? 0 : { xs: 2, lg: 3 } }}>
      {children}
    </Box>
  );
}

export function Waiting() {
  const { t } = useTranslation('Common');
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', height: '100%', minHeight: 160 }}>
      <CircularProgress size={32} aria-label={t('Loading')} />
    </Box>
  );
}

function leave(): void {
  if (isFramedByOwnSite()) {
    tellShellSignedOut();
    return;
  }
  const { pathname, search, hash } = window.location;
  window.location.replace(signInAddress(pathname + search + hash));
}
