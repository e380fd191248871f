// One process that relays one channel to all who come: through the hub, or with ws alone. argv: the kind.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { Hub } from '../../../server/media/hub.ts';
import { createHubPacket } from '../../../server/media/hubPacket.ts';
import { LoadMeter } from '../../../server/stream/live/loadMeter.ts';
import { createStreamServer } from '../../../server/stream/streamServer.ts';
import { Codec, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { NO_CONTROLS } from '../../support/fakes/noControls.ts';
import { serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { FRAME_BYTES, FRAME_MS, GROUP_FRAMES, type RelayKind, type ServerReady } from './messages.ts';

const KEY = { deviceId: 'BENCH', channel: 1, quality: 'main' } as const;
const payload = new Uint8Array(FRAME_BYTES).fill(1);
const kind = process.argv[2] as RelayKind;

const { port, send } = kind === 'fleetglass' ? await relayThroughHub() : await relayBare();
process.send?.({ type: 'ready', port } satisfies ServerReady);
// Frames on the clock, each with the moment that it was due at in its device time.
let frame = Math.ceil(Date.now() / FRAME_MS);
const sendDue = (): void => {
  for (; frame * FRAME_MS <= Date.now(); frame++) send(frame);
  setTimeout(sendDue, frame * FRAME_MS - Date.now());
};
sendDue();

function packetOf(number: number) {
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: number % GROUP_FRAMES === 0, discontinuity: false };
  const times = { mediaTimeUs: mediaUs(number * FRAME_MS * 1000), deviceTimeMs: wallMs(number * FRAME_MS) };
  return createHubPacket({ ...header, ...times }, payload);
}

interface Relay {
  readonly port: number;
  /** Sends the picture of this number to all. */
  readonly send: (number: number) => void;
}

async function relayThroughHub(): Promise<Relay> {
  const runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  };
  const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter });
  const onFault = (error: Error): never => {
    throw error;
  };
  const meter = new LoadMeter(onFault);
  const streams = createStreamServer({
    ...NO_CONTROLS,
    isBusy: () => meter.isBusy,
    hub,
    mayWatch: async () => ({ ok: true }),
    runAfter,
    onFault,
  });
  let viewers = 0;
  // Thousands from one address are more than a gateway takes.
  const { port } = await serveEndpoints(streams.endpoints, { clientAddress: () => `viewer ${viewers++}` });
  return { port, send: (number) => hub.publish(KEY, packetOf(number)) };
}

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
