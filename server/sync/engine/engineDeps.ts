// The dependencies of the data sync engine.
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { FetchedClip } from '../../events/evidence/clipHolds.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import type { SyncDirectory } from '../directory.ts';
import type { DeviceSources } from '../sources/deviceSources.ts';
import type { AttemptEnd } from './afterAttempt.ts';
import type { Attempt } from './attempts/attempt.ts';
import type { Leftovers } from './leftovers.ts';
import type { Methods } from './methods.ts';

export interface SyncEngineDeps {
  readonly items: SyncItemStore;
  readonly directory: Pick<
    SyncDirectory,
    'device' | 'deviceOf' | 'rule' | 'covers' | 'owns' | 'ownersOf' | 'ownerOf' | 'ownerCount'
  >;
  readonly sources: Pick<DeviceSources, 'here' | 'files'>;
  readonly methods: Methods;
  readonly fetchByFtp: (attempt: Attempt) => Promise<AttemptEnd>;
  readonly fetchByPlayback: (attempt: Attempt, isSlow: boolean) => Promise<AttemptEnd>;
  readonly removeFile: (name: string) => Promise<void>;
  readonly leftovers: Pick<Leftovers, 'readAll' | 'isAwaited' | 'retry' | 'close'>;
  readonly isOnline: (device: SyncDevice) => boolean;
  readonly watchesCard: (deviceId: string) => boolean;
  readonly planGate: Pick<PlanGate, 'mayTransfer'>;
  readonly isDiskReady: () => boolean;
  /** Called when lists of the member group have changed. */
  readonly onChanged: (memberGroup: number) => void;
  /** Called when the recording that an event requested is here. Resolves once it is held. */
  readonly onEventFetched: (clip: FetchedClip) => Promise<void>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}
