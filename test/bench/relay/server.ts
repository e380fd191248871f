// One process that relays one channel to all who come: through the hub, or with ws alone. argv: the kind.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { Hub } from '../../../server/stream/hub.ts';
import { createHubPacket } from '../../../server/stream/hubPacket.ts';
import { LoadMeter } from '../../../server/stream/loadMeter.ts';
import { createStreamServer } from '../../../server/stream/streamServer.ts';
import { Codec, PacketKind } from '../../../shared/protocol/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { NO_CONTROLS } from '../../support/noControls.ts';
import { FRAME_BYTES, FRAME_MS, GROUP_FRAMES, type RelayKind, type ServerReady } from './messages.ts';

const KEY = { deviceId: 'BENCH', channel: 1, quality: 'main' } as const;
const payload = new Uint8Array(FRAME_BYTES).fill(1);
const kind = process.argv[2] as RelayKind;

const server = createServer();
const send = kind === 'fleetglass' ? relayThroughHub() : relayBare();
server.listen(0, '127.0.0.1', () => {
  const ready: ServerReady = { type: 'ready', port: (server.address() as AddressInfo).port };
  process.send?.(ready);
});
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

function relayThroughHub(): (number: number) => void {
  const after = (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  };
  const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, after });
  const meter = new LoadMeter();
  const streams = createStreamServer({
    ...NO_CONTROLS,
    isBusy: () => meter.isBusy,
    hub,
    isAllowedOrigin: () => true,
    mayWatch: async () => ({ ok: true }),
    after,
    onFault: (error) => {
      throw error;
    },
  });
  server.on('upgrade', (request, socket, head) => streams.handleUpgrade(request, socket, head));
  return (number) => hub.publish(KEY, packetOf(number));
}

function relayBare(): (number: number) => void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket: WebSocket) => socket.on('error', () => socket.terminate()));
  return (number) => {
    const { bytes } = packetOf(number);
    for (const client of sockets.clients) if (client.readyState === client.OPEN) client.send(bytes);
  };
}
