// The shell: waits until it is known who is there, then shows the menu and the chosen page.
import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { signInAddress } from '../../shared/api/signIn.ts';
import { Waiting } from '../../shared/ui/InnerPage.tsx';
import { useDocumentTitle, useServerInfo } from '../../shared/ui/serverInfo.ts';
import { useSession, useSessionHints } from '../../shared/ui/session.ts';
import { SignedInShell } from './SignedInShell.tsx';

export function Shell() {
  const { info } = useServerInfo();
  const session = useSession();
  useDocumentTitle(info);
  useSessionHints();
  useEffect(() => {
    if (session.kind === 'signed-out') goToSignIn();
  }, [session.kind]);
  if (session.kind === 'signed-in') return <SignedInShell status={session.status} />;
  return (
    <Box component="main" sx={{ height: '100%' }}>
      <Waiting />
    </Box>
  );
}

function goToSignIn(): void {
  const { pathname, search, hash } = window.location;
  window.location.replace(signInAddress(pathname + search + hash));
}
