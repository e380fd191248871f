// The page's one session watch and what React and the framed pages know of it.
import { useEffect, useSyncExternalStore } from 'react';
import { getUserStatus } from '../api/accounts/user.ts';
import { setUnauthorisedHandler } from '../api/client.ts';
import { setSignedIn } from '../i18n/start.ts';
import type { Permission } from '../protocol/permissions.ts';
import { type SessionState, type SessionWatch, watchSession } from './sessionWatch.ts';

/** A framed page tells the shell that a call of its was refused for want of a session. */
const SIGNED_OUT_MESSAGE = 'fleetglass:signed-out';

let watch: SessionWatch | undefined;

function session(): SessionWatch {
  watch ??= openSession();
  return watch;
}

function openSession(): SessionWatch {
  const opened = watchSession({
    getStatus: getUserStatus,
    runAfter: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
  opened.subscribe(() => setSignedIn(opened.state().kind === 'signed-in'));
  return opened;
}

export function useSession(): SessionState {
  return useSyncExternalStore(session().subscribe, session().state);
}

/** Whether the member has the permission now. */
export function usePermission(permission: Permission): boolean {
  const state = useSession();
  return state.kind === 'signed-in' && state.status.permission.includes(permission);
}

/** Asks the server again who is signed in. */
export function recheckSession(): Promise<void> {
  return session().recheck();
}

/** Has the server put another session in the place of this one: its end signs nobody out meanwhile. */
export function replaceSession<Value>(work: () => Promise<Value>): Promise<Value> {
  return session().replace(work);
}

/** Ends the watch; a page that is rendered again starts a new one. For component tests. */
export function closeSession(): void {
  watch?.close();
  watch = undefined;
}

/** Asks again when something suggests that the session may have ended: a refused call, a page seen after a while. */
export function useSessionHints(): void {
  useEffect(() => {
    const recheck = () => void recheckSession();
    const onVisible = () => document.visibilityState === 'visible' && recheck();
    const onMessage = (event: MessageEvent) => {
      if (event.origin === window.location.origin && event.data === SIGNED_OUT_MESSAGE) recheck();
    };
    setUnauthorisedHandler(recheck);
    document.addEventListener('visibilitychange', onVisible);
    window.addEventListener('message', onMessage);
    return () => {
      setUnauthorisedHandler(undefined);
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('message', onMessage);
    };
  }, []);
}

/** For a framed page whose session has ended: the shell around it asks for itself and goes to sign-in. */
export function tellShellSignedOut(): void {
  window.parent.postMessage(SIGNED_OUT_MESSAGE, window.location.origin);
}
