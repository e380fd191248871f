// One process that relays one channel to all who come: through the hub, or with ws alone. argv: the kind.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { packetOf, type Relay, relayThroughHub, sendFrames } from './hubRelay.ts';
import type { RelayKind, ServerReady } from './messages.ts';

const kind = process.argv[2] as RelayKind;

const { port, send } = kind === 'fleetglass' ? await relayThroughHub() : await relayBare();
process.send?.({ type: 'ready', port } satisfies ServerReady);
sendFrames(send);

async function relayBare(): Promise<Relay> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(sockets, 'listening');
  sockets.on('connection', (socket: WebSocket) => socket.on('error', () => socket.terminate()));
  const send = (number: number): void => {
    const { bytes } = packetOf(number);
    for (const client of sockets.clients) if (client.readyState === client.OPEN) client.send(bytes);
  };
  return { port: (sockets.address() as AddressInfo).port, send };
}
