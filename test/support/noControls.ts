// What a stream server needs for its controls, where nobody moves or says anything.
import type { StreamServerDeps } from '../../server/stream/streamServer.ts';

export const NO_CONTROLS: Pick<StreamServerDeps, 'clientAddress' | 'controls' | 'now'> = {
  clientAddress: () => '',
  controls: {
    port: { ptz: async () => 'offline', talk: () => 'offline' },
    mayControl: async () => ({ ok: false, code: 'not-fitted', message: 'nothing here moves' }),
    audit: { add: async () => undefined },
  },
  now: Date.now,
};
