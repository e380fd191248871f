// Keeps up with what the signed-in member may do while a page is open.
import { useEffect } from 'react';
import { listenForChanges } from '../live/pageLive.ts';
import type { RecordKind } from '../protocol/api/liveUpdates.ts';
import { recheckSession } from './session.ts';

/** Records that decide on permissions, and on the member group that is seen. */
const RIGHTS: readonly RecordKind[] = ['member', 'membergroup', 'role'];

/** Asks for the session again when any of these records was edited: a right that is taken away ends what stands open. */
export function useSessionUpdates(): void {
  useEffect(
    () =>
      listenForChanges((kinds) => {
        if (kinds === 'any' || kinds.some((kind) => RIGHTS.includes(kind))) void recheckSession();
      }),
    [],
  );
}
