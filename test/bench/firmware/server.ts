// One process that relays a channel and takes terminals, which it sends an image when it is told to.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { PackageBytes } from '../../../server/device/jt808/inbox.ts';
import { PackagePace } from '../../../server/device/jt808/packages/packagePace.ts';
import { SignallingSession } from '../../../server/device/jt808/signallingSession.ts';
import { WaitingBytes } from '../../../server/device/jt808/waitingBytes.ts';
import type { TerminalSession } from '../../../server/device/terminalSession.ts';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { createDelivery } from '../../../server/firmware/delivery/createDelivery.ts';
import { aSignedInDevice } from '../../support/aDevice.ts';
import { relayThroughHub, sendFrames } from '../relay/hubRelay.ts';
import type { Deliver, Delivered, ServerReady, ToServer, Weighed } from './messages.ts';

const MEMORY_SAMPLE_MS = 100;
const MIB = 1_048_576;

const onFault = (error: Error): never => {
  throw error;
};
const onLimit = (): void => undefined;
const runAfter = createRunAfter(onFault);
const pace = new PackagePace(runAfter);
const sessions: TerminalSession[] = [];
const none = { open: () => undefined };
const delivery = createDelivery({ links: none, ftpLogins: none, now: Date.now, runAfter });

const { port: relayPort, send } = await relayThroughHub();
const terminals = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  new SignallingSession(socket, {
    authenticator: {
      register: async () => undefined,
      authenticate: async () => aSignedInDevice({ deviceId: `BENCH${sessions.length}`, incarnation: sessions.length }),
    },
    now: Date.now,
    runAfter,
    acknowledgedIds: new Set(),
    waiting: new WaitingBytes(onLimit),
    packageBytes: new PackageBytes(),
    pace,
    onReport: () => true,
    onSignedIn: (session) => void sessions.push(session),
    onEnded: () => undefined,
    onFault,
    onLimit,
  });
});
terminals.listen(0, '127.0.0.1', () => {
  const { port: terminalPort } = terminals.address() as AddressInfo;
  process.send?.({ type: 'ready', relayPort, terminalPort } satisfies ServerReady);
});
sendFrames(send);

process.on('message', (order: ToServer) => {
  if (order.type === 'weigh') process.send?.(weigh());
  else deliverToAll(order).then((report) => process.send?.(report), onFault);
});
process.on('disconnect', () => process.exit());

function weigh(): Weighed {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { type: 'weighed', heldMib: (heapUsed + external) / MIB };
}

async function deliverToAll({ file, bytes }: Deliver): Promise<Delivered> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, MEMORY_SAMPLE_MS);
  const startedMs = performance.now();
  const image = { file, bytes, sha256: '', vendor: 'FLGLS', firmwareVersion: '2.0', partCode: 0 };
  const model = { method: 'packages', manufacturerBytes: 5, window: 8, template: '', passthroughType: 0 } as const;
  const outcomes = await Promise.all(
    sessions.map((session) =>
      delivery.deliver({
        session,
        image,
        model,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        beforeEnd: async () => true,
      }),
    ),
  );
  clearInterval(sampling);
  return {
    type: 'delivered',
    terminals: outcomes.length,
    failed: outcomes.filter(({ ok }) => !ok).length,
    seconds: (performance.now() - startedMs) / 1_000,
    grownMib: (most - before) / MIB,
  };
}
