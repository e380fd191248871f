// One process that holds all viewers. argv: port, count, seconds of the window.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { PACKET_HEADER_BYTES } from '../../../shared/protocol/stream/streamPacket.ts';
import { FRAME_MS, type ViewersReport } from './messages.ts';

const [port = 0, count = 0, seconds = 0] = process.argv.slice(2).map(Number);
const PATH = '/stream/liveview/video.fuho?deviceid=BENCH&channel=1&audio=0&username=u&credential=';
/** Number of viewers that a link lets in; the next ones have another link. */
const VIEWERS_A_LINK = 100;
/** About this many viewers are timed: timing every receipt would cost more than the server under test has. */
const SAMPLED_VIEWERS = 100;
const WARM_UP_MS = 3_000;
/** Longest header of a WebSocket frame. A ping is shorter, and waits here for the frame after it. */
const LONGEST_HEADER_BYTES = 10;

let measuring = false;
let received = 0;
const delaysMs: number[] = [];

for (let viewer = 0; viewer < count; viewer++) {
  openViewer(
    `c${Math.floor(viewer / VIEWERS_A_LINK)}`,
    viewer % Math.max(1, Math.floor(count / SAMPLED_VIEWERS)) === 0,
  );
  // A thousand at once would overflow the listening queue, which is not what is measured.
  if (viewer % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 10));
}
await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
process.send?.({ type: 'measuring' });
measuring = true;
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
measuring = false;
const expected = (count * seconds * 1000) / FRAME_MS;
const report: ViewersReport = { type: 'report', delaysMs, received, expected };
process.send?.(report, () => process.exit(0));

/** A WebSocket as thin as can be, so that the process that holds thousands is not the one that is measured. */
function openViewer(credential: string, isSampled: boolean): void {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${PATH}${credential} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  let held: Buffer = Buffer.alloc(0);
  let isOpen = false;
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (!isOpen) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      isOpen = true;
      held = held.subarray(end + 4);
    }
    held = held.subarray(takeFrames(held, isSampled));
  });
}

/** Counts the packets of the whole frames at the start; returns how many bytes they take. */
function takeFrames(bytes: Buffer, isSampled: boolean): number {
  let at = 0;
  while (at + LONGEST_HEADER_BYTES <= bytes.length) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : LONGEST_HEADER_BYTES);
    if (start + length > bytes.length) break;
    const isBinary = ((bytes[at] ?? 0) & 0x0f) === 2;
    if (measuring && isBinary) notePackets(bytes.subarray(start, start + length), isSampled);
    at = start + length;
  }
  return at;
}

/** Under load a message holds several packets. */
function notePackets(message: Buffer, isSampled: boolean): void {
  for (let at = 0; at < message.length; at += PACKET_HEADER_BYTES + message.readUInt32BE(at + 4)) {
    note(message, at, isSampled);
  }
}

/** The device time of a packet is the moment that its frame was due at. */
function note(bytes: Buffer, packetAt: number, isSampled: boolean): void {
  received++;
  if (isSampled)
    delaysMs.push(performance.timeOrigin + performance.now() - Number(bytes.readBigInt64BE(packetAt + 16)));
}
