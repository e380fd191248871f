// The shell: waits until it is known who is there, then shows the menu and the chosen page.
import Box from '@mui/material/Box';
import { Suspense, useEffect, useState } from 'react';
import type { UserStatus } from '../../shared/protocol/api.ts';
import { ChunkBoundary, lazyPart } from '../../shared/ui/chunks.tsx';
import { frameHoldsUnsaved, useLeaveQuestion } from '../../shared/ui/form/unsaved.ts';
import { useDocumentTitle, useServerInfo } from '../../shared/ui/serverInfo.ts';
import { useSession, useSessionHints } from '../../shared/ui/session.ts';
import { Waiting } from '../../shared/ui/Waiting.tsx';
import { SignedInShell } from './SignedInShell.tsx';
import { goToSignIn } from './toSignIn.ts';

const LeaveDialog = lazyPart(
  'LeaveDialog',
  async () => (await import('../../shared/ui/form/LeaveDialog.tsx')).LeaveDialog,
);

export function Shell() {
  const { info } = useServerInfo();
  const session = useSession();
  const [last, setLast] = useState<UserStatus>();
  useDocumentTitle(info);
  useSessionHints();
  if (session.kind === 'signed-in' && session.status !== last) setLast(session.status);
  // A page that holds something unsaved asks for the password itself: taking it away would lose what was typed.
  const isHeld = session.kind === 'signed-out' && last !== undefined && frameHoldsUnsaved();
  useEffect(() => {
    if (session.kind === 'signed-out' && !frameHoldsUnsaved()) goToSignIn();
  }, [session]);
  const status = session.kind === 'signed-in' ? session.status : last;
  if (status !== undefined && (session.kind === 'signed-in' || isHeld)) {
    return (
      <>
        <SignedInShell status={status} />
        <LeaveQuestion />
      </>
    );
  }
  return (
    <Box component="main" sx={{ height: '100%' }}>
      <Waiting />
    </Box>
  );
}

function LeaveQuestion() {
  const isAsked = useLeaveQuestion();
  if (!isAsked) return null;
  return (
    <ChunkBoundary>
      <Suspense fallback={null}>
        <LeaveDialog />
      </Suspense>
    </ChunkBoundary>
  );
}
