// Sends the same pictures to any player: FLV over a WebSocket for mpegts.js, stream packets for ours. Each connection
// begins with a key frame at once and goes on with one message a frame on the clock.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { CLIP_FPS } from './benchClip.ts';
import type { FlvClip } from './flv.ts';

const root = join(import.meta.dirname, '../../..');
export const FRAME_MS = 1000 / CLIP_FPS;
export const FLV_PATH = '/flv';

/** When each frame of a channel was handed to the socket, by frame number, in epoch milliseconds with fractions. */
export type SentTimes = Map<number, number>;

export interface PictureServer {
  readonly address: string;
  /** By channel, of the newest connection. */
  readonly sent: ReadonlyMap<number, SentTimes>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export async function startPictureServer(clips: readonly FlvClip[]): Promise<PictureServer> {
  const sent = new Map<number, SentTimes>();
  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const url = new URL(request.url ?? '/', 'http://bench');
      const channel = Number(url.searchParams.get('channel'));
      const clip = clips[channel - 1];
      if (clip === undefined) return webSocket.close();
      const times: SentTimes = new Map();
      sent.set(channel, times);
      sendOnTime(webSocket, { clip, times, asPackets: url.pathname === StreamPath.Live });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () => closeAll(server, sockets),
  };
}

interface Sending {
  readonly clip: FlvClip;
  readonly times: SentTimes;
  readonly asPackets: boolean;
}

function sendOnTime(socket: WebSocket, { clip, times, asPackets }: Sending): void {
  const startMs = performance.now();
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  if (!asPackets) socket.send(clip.preamble);
  const sendDue = (): void => {
    for (; startMs + frame * FRAME_MS <= performance.now(); frame++) {
      const message = asPackets ? packetOf(clip, frame) : clip.frameTags[frame];
      // The clip is longer than any window that is measured; at its end the players are closed anyway.
      if (message === undefined) return;
      times.set(frame, performance.timeOrigin + performance.now());
      socket.send(message);
    }
    timer = setTimeout(sendDue, startMs + frame * FRAME_MS - performance.now());
  };
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', () => socket.terminate());
  sendDue();
}

function packetOf(clip: FlvClip, frame: number): Uint8Array | undefined {
  const unit = clip.accessUnits[frame];
  if (unit === undefined) return undefined;
  const key = clip.isKey[frame] === true;
  const mediaTimeUs = mediaUs(frame * FRAME_MS * 1000);
  const header = { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity: false, mediaTimeUs };
  return encodePacket({ ...header, deviceTimeMs: wallMs(0) }, unit);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://bench');
  const json = contractAnswer(pathname);
  if (json !== undefined) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ error: false, data: json }));
    return;
  }
  const file = fileOf(pathname);
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    response.statusCode = 404;
    response.end();
    return;
  }
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  createReadStream(file).pipe(response);
}

/** The two calls of the live page, answered for eight channels. */
function contractAnswer(pathname: string): unknown {
  if (pathname === '/api/system/server') return { version: 'bench' };
  if (pathname === '/api/device/device') return { chn: 8, installchs: '11111111', livechs: '11111111' };
  return undefined;
}

/** Only this machine asks, for pages of this repository. */
function fileOf(pathname: string): string {
  if (pathname.startsWith('/live/')) return join(root, 'dist/web/live/index.html');
  if (pathname === '/mpegts.html') return join(import.meta.dirname, 'mpegts.html');
  if (pathname === '/mpegts.js') return join(root, 'node_modules/mpegts.js/dist/mpegts.js');
  const locale = /^\/locales\/load\/([\w-]+)\/(\w+)$/.exec(pathname);
  if (locale !== null) return join(root, `public/locales/${locale[1]}/${locale[2]}.json`);
  return join(root, 'dist/web', pathname);
}

async function closeAll(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const client of sockets.clients) client.terminate();
  sockets.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
