// One process with the terminals of both sides, which send video at its own rate when they are told to. argv: the ports of the sides.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DataType } from '../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../server/device/jt1078/codec/payloadTypes.ts';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { MediaFraming } from '../../../simulator/mediaFraming.ts';
import { FRAME_MS } from '../relay/messages.ts';
import { CHANNELS, type Sent, SIDES, type Side, type ToTerminals, TURN_FRAMES, terminalNumber } from './messages.ts';

interface Channel {
  readonly socket: Socket;
  readonly framing: MediaFraming;
}

const clip = await loadDemoClip('road');
const channels: Record<Side, Channel[]> = { counted: [], uncounted: [] };
for (const [number, side] of SIDES.entries()) {
  for (let at = 0; at < CHANNELS; at++) channels[side].push(await open(side, at, Number(process.argv[2 + number])));
}
const ready: Sent = { type: 'sent', bytes: 0 };
process.send?.(ready);
process.on('message', ({ side }: ToTerminals) => {
  sendTurn(channels[side]).then(
    (bytes) => process.send?.({ type: 'sent', bytes } satisfies Sent),
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit());

async function open(side: Side, at: number, port: number): Promise<Channel> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => process.exit(1));
  await once(socket, 'connect');
  return { socket, framing: new MediaFraming(terminalNumber(side, at), 1) };
}

/** Spread over a frame's time, as of cameras that know nothing of each other. */
async function sendTurn(all: readonly Channel[]): Promise<number> {
  const begunMs = Date.now();
  const sent = all.map((channel, at) => sendFrames(channel, begunMs, (at * FRAME_MS) / CHANNELS));
  return (await Promise.all(sent)).reduce((sum, bytes) => sum + bytes, 0);
}

async function sendFrames({ socket, framing }: Channel, begunMs: number, offsetMs: number): Promise<number> {
  let sentBytes = 0;
  for (const [frame, { bytes, isKey }] of clip.frames.slice(0, TURN_FRAMES).entries()) {
    await delay(Math.max(0, begunMs + offsetMs + frame * FRAME_MS - Date.now()));
    const dataType = isKey ? DataType.I : DataType.P;
    const timestampMs = begunMs + frame * FRAME_MS;
    const packets = Buffer.concat(framing.packets({ dataType, payloadType: PayloadType.H264, timestampMs, bytes }));
    sentBytes += packets.length;
    if (!socket.write(packets)) await once(socket, 'drain');
  }
  return sentBytes;
}
