// Handles the end of the page's session: sign-in, or a dialog over the page when it has something unsaved.
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { signInAddress } from '../../api/accounts/signIn.ts';
import type { UserStatus } from '../../protocol/api.ts';
import { lazyPart } from '../chunks.tsx';
import { dropUnsaved, hasUnsaved } from '../form/unsaved.ts';
import { useServerInfoUpdates } from '../serverInfo.ts';
import { tellShellSignedOut, useSession, useSessionHints } from '../session.ts';
import { useSessionUpdates } from '../sessionUpdates.ts';
import { Waiting } from '../Waiting.tsx';
import { isFramedByOwnSite } from './framedByOwnSite.ts';

// Most sessions end before anything is typed.
const SessionDialog = lazyPart('SessionDialog', async () => (await import('./SessionDialog.tsx')).SessionDialog);

export interface SessionGateProps {
  readonly children: (status: UserStatus) => ReactNode;
}

export function SessionGate({ children }: SessionGateProps) {
  const session = useSession();
  useSessionHints();
  const [last, setLast] = useState<UserStatus>();
  if (session.kind === 'signed-in' && session.status !== last) setLast(session.status);
  const isHeld = session.kind === 'signed-out' && last !== undefined && hasUnsaved();
  useEffect(() => {
    if (session.kind === 'signed-out' && !hasUnsaved()) leave();
  }, [session]);

  const status = session.kind === 'signed-in' ? session.status : last;
  if (status === undefined || (session.kind === 'signed-out' && !isHeld)) return <Waiting />;
  return (
    <>
      {children(status)}
      <Updates />
      {isHeld && (
        <Suspense fallback={null}>
          <SessionDialog username={status.username} onLeave={leaveUnsaved} />
        </Suspense>
      )}
    </>
  );
}

function Updates() {
  useServerInfoUpdates();
  useSessionUpdates();
  return null;
}

function leaveUnsaved(): void {
  dropUnsaved();
  leave();
}

function leave(): void {
  if (isFramedByOwnSite()) {
    tellShellSignedOut();
    return;
  }
  const { pathname, search, hash } = window.location;
  window.location.replace(signInAddress(pathname + search + hash));
}
