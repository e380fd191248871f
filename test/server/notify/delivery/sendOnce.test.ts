import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SEND_TIMEOUT_MS, sendOnce } from '../../../../server/notify/delivery/sendOnce.ts';
import type { Transport } from '../../../../server/notify/outgoing.ts';
import { createTransport } from '../../../../server/notify/senders/outbound.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { anOutgoing, aSender } from '../../../support/notify/outgoing.ts';
import { collectGarbage } from '../../../support/runner/collectGarbage.ts';

it('nothing of an attempt is kept once it is over, though the gateway runs on', async () => {
  const closing = new AbortController();
  const signals: WeakRef<AbortSignal>[] = [];
  // The transport listens for the end of an attempt, as a connection does.
  const transport: Transport = createTransport({ totalMs: 10_000, onFault: noFaults }, async ({ signal }) => {
    signals.push(new WeakRef(signal));
    signal.addEventListener('abort', () => undefined);
    return { outcome: 'sent', answer: '' };
  });
  const outer: Transport = {
    send: (message, sender, options) => {
      signals.push(new WeakRef(options.signal));
      return transport.send(message, sender, options);
    },
  };
  const deps = { closing: closing.signal, runAfter: new ManualTimers().runAfter, onFault: noFaults };
  for (let count = 0; count < 20; count++) {
    await sendOnce(outer, { message: anOutgoing(), sender: aSender('webhook', {}) }, deps);
  }
  await nextTurn();
  collectGarbage();
  await nextTurn();
  collectGarbage();
  const kept = signals.filter((signal) => signal.deref() !== undefined);
  expect(signals).toHaveLength(40);
  // The last signal may still be in a register.
  expect(kept.length).toBeLessThanOrEqual(2);
});

it.each(['gateway', 'time'])('an attempt ends with the %s', async (what) => {
  const closing = new AbortController();
  const timers = new ManualTimers();
  const transport = createTransport({ totalMs: 10_000, onFault: noFaults }, ({ signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  const deps = { closing: closing.signal, runAfter: timers.runAfter, onFault: noFaults };
  const sending = sendOnce(transport, { message: anOutgoing(), sender: aSender('webhook', {}) }, deps);
  if (what === 'gateway') closing.abort();
  else timers.advance(SEND_TIMEOUT_MS);
  expect(await sending).toEqual({ outcome: 'retry', answer: 'stopped before the other side answered' });
  expect(timers.pending).toBe(0);
});
