// Profiles the main thread of a gateway over its inspector, in windows.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { waitFor } from '../../support/waitFor.ts';

/** Environment in which a gateway is started so that it can be profiled: the inspector on a free port of this machine. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
const SAMPLING_US = 1_000;

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
}

/** A profile as the inspector gives it. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** The node that was running at each sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface Profiler {
  start(): Promise<void>;
  stop(): Promise<Profile>;
  close(): void;
}

/** Watches nothing. */
export const NO_PROFILER: Profiler = {
  start: () => Promise.resolve(),
  stop: () => Promise.resolve({ nodes: [], samples: [], timeDeltas: [] }),
  close: () => undefined,
};

/** `log`: what the gateway wrote to standard error, where the inspector says its address. */
export async function connectProfiler(log: () => string): Promise<Profiler> {
  const find = (): string | undefined => /Debugger listening on (ws:\S+)/.exec(log())?.[1];
  await waitFor('the address of the inspector', () => find() !== undefined);
  const socket = new WebSocket(find() ?? '', { perMessageDeflate: false, maxPayload: 0 });
  const isOver = new AbortController();
  // A gateway that ends takes the inspector with it: whoever waits for an answer gets an error.
  socket.on('error', () => isOver.abort());
  socket.on('close', () => isOver.abort());
  await once(socket, 'open', { signal: isOver.signal });
  let serial = 0;
  const call = async (method: string, params: object = {}): Promise<{ readonly profile: Profile }> => {
    const id = ++serial;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [data] = (await once(socket, 'message', { signal: isOver.signal })) as [Buffer];
      const answer = JSON.parse(String(data)) as {
        readonly id?: number;
        readonly result: { readonly profile: Profile };
      };
      if (answer.id === id) return answer.result;
    }
  };
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  return {
    start: async () => void (await call('Profiler.start')),
    stop: async () => (await call('Profiler.stop')).profile,
    close: () => socket.close(),
  };
}
