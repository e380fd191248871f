// Hands messages to a syslog server. Each has a connection of its own: events are few, and the end of a connection is the only sign that
// the other side has accepted the data.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SyslogSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { runAfter } from '../../../faults/timers.ts';
import type { Transport } from '../../outgoing.ts';
import { connectGuarded, secureGuarded } from '../guard/connect.ts';
import { createTransport, type Outbound } from '../outbound.ts';
import { framed, syslogMessage } from './syslogMessage.ts';

/** Time after which a connection is closed that the server keeps open. */
const CLOSE_MS = 1_000;

export function createSyslogTransport(outbound: Outbound, hostName: string): Transport {
  return createTransport(outbound, async ({ message, sender, signal, note }) => {
    const settings = sender.settings as SyslogSettings;
    const plain = await connectGuarded(settings, outbound, signal);
    try {
      note('note', `connected to ${settings.host}:${settings.port}`);
      const socket = settings.transport === 'tls' ? await secureGuarded(plain, settings, outbound) : plain;
      if (socket !== plain) note('note', 'the certificate is valid');
      const text = syslogMessage(message, settings, hostName);
      note('gateway', text);
      await writeAndClose(socket, framed(text), outbound);
      return { outcome: 'sent', answer: 'written' };
    } finally {
      plain.destroy();
    }
  });
}

/** Settles once the other side has closed, or has been silent for a while; rejects when the connection breaks off. */
async function writeAndClose(socket: Socket, bytes: Buffer, { onFault }: Outbound): Promise<void> {
  const closed = once(socket, 'close');
  socket.resume();
  socket.end(bytes);
  if (!socket.writableFinished) await Promise.race([once(socket, 'finish'), closed]);
  if (!socket.writableFinished) throw new Error('the connection broke off');
  const cancel = runAfter(CLOSE_MS, () => socket.destroy(), onFault);
  try {
    await closed;
  } finally {
    cancel();
  }
}
