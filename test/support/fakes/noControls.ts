// What a stream server needs beside its hub, where nobody moves or says anything and there is no load.
import type { StreamServerDeps } from '../../../server/stream/streamServer.ts';

export const NO_CONTROLS: Pick<StreamServerDeps, 'controls' | 'isBusy' | 'now'> = {
  controls: {
    port: { ptz: async () => 'offline', talk: () => 'offline' },
    mayControl: async () => ({ ok: false, code: 'not-fitted', message: 'nothing here moves' }),
    audit: { add: async () => undefined },
  },
  isBusy: () => false,
  now: Date.now,
};
