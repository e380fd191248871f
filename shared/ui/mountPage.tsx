// What every page but the video ones stands on: languages, theme, notifications, server information, one React root.
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { removeSidFromAddress } from '../api/pageFlags.ts';
import { startI18n } from '../i18n/start.ts';
import { leaveForRestore } from './frame/leaveForRestore.ts';
import { Notifications } from './notifications.tsx';
import { ServerInfoContext, useServerInfoLoader } from './serverInfo.ts';
import { theme } from './theme.ts';

/** Namespaces that the shared parts read; a page adds its own. */
const SHARED_NAMESPACES = ['Common', 'TopBar', 'Errors'];

/** Starts the languages, then shows `page` in the element `root`. */
export async function mountPage(page: ReactNode, namespaces: readonly string[]): Promise<void> {
  removeSidFromAddress();
  leaveForRestore();
  const host = document.getElementById('root');
  if (host === null) throw new Error('the page has no element with the id "root"');
  await startI18n({ namespaces: [...SHARED_NAMESPACES, ...namespaces] });
  createRoot(host, { onCaughtError: (error) => console.warn(error) }).render(
    <StrictMode>
      <PageFrame>{page}</PageFrame>
    </StrictMode>,
  );
}

/** The providers around a page; component tests use it too. */
export function PageFrame({ children }: { readonly children: ReactNode }) {
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <Notifications>
        <WithServerInfo>{children}</WithServerInfo>
      </Notifications>
    </ThemeProvider>
  );
}

function WithServerInfo({ children }: { readonly children: ReactNode }) {
  const state = useServerInfoLoader();
  return <ServerInfoContext value={state}>{children}</ServerInfoContext>;
}
