// What data sync works with where the parts that do it aren't wired: nothing is uploaded, and nothing is made of what is played.
import { NO_PLANS } from '../../device/usage/planGate.ts';
import type { SyncDeps } from './sync.ts';

export const SYNC_STAND_INS: Pick<SyncDeps, 'logins' | 'uploads' | 'ingest' | 'planGate' | 'onEventFetched'> = {
  logins: { open: () => undefined },
  uploads: { request: async () => ({ ok: false, reason: 'refused' }) },
  ingest: {
    file: async () => ({ kind: 'unreadable' }),
    stream: () => ({
      packet: () => true,
      drained: async () => undefined,
      end: async () => ({ kind: 'unreadable' }),
    }),
  },
  planGate: NO_PLANS,
  onEventFetched: () => undefined,
};
