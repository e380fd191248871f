// Sends the same pictures to any player: FLV over a WebSocket for mpegts.js, stream packets for ours. Each connection
// begins with a key frame at once and goes on with one message a frame on the clock.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { FRAME_MS } from './benchClip.ts';
import type { FlvClip } from './flv.ts';
import { CLEAN, frameTimes, type Network } from './network.ts';

const root = join(import.meta.dirname, '../../..');
const builtPages = join(root, 'dist/web');

/** What one connection was sent; times in epoch milliseconds with fractions. */
export interface SentStream {
  /** By frame number in the order of showing: the moment before it was handed to the socket, or, on a bad network, when it was due. */
  readonly times: Map<number, number>;
  /** When the network let nothing through. */
  readonly holeMs: { readonly fromMs: number; readonly toMs: number } | undefined;
}

export interface PictureServer {
  readonly address: string;
  /** By channel, of the newest connection. */
  readonly sent: ReadonlyMap<number, SentStream>;
  /** What connections meet from here on; forgets what was sent. */
  use(network: Network): void;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** `pages` is a folder of built pages: another build than the present one can be measured beside it. */
export async function startPictureServer(clips: readonly FlvClip[], pages = builtPages): Promise<PictureServer> {
  const sent = new Map<number, SentStream>();
  let network = CLEAN;
  const server = createServer((request, response) => void answer(request, response, pages));
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const url = new URL(request.url ?? '/', 'http://bench');
      const channel = Number(url.searchParams.get('channel'));
      const clip = clips[channel - 1];
      if (clip === undefined) return webSocket.close();
      const asPackets = url.pathname === StreamPath.Live;
      sent.set(channel, sendOnTime(webSocket, { clip, channel, asPackets, network }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    use: (next) => {
      network = next;
      sent.clear();
    },
    close: () => closeAll(server, sockets),
  };
}

interface Sending {
  readonly clip: FlvClip;
  readonly channel: number;
  readonly asPackets: boolean;
  readonly network: Network;
}

function sendOnTime(socket: WebSocket, { clip, channel, asPackets, network }: Sending): SentStream {
  const startMs = performance.now();
  const schedule = frameTimes(channel, startMs, network);
  const sent: SentStream = { times: new Map(), holeMs: holeOf(network, performance.timeOrigin + startMs) };
  let index = 0;
  let next = schedule.next().value;
  let timer: NodeJS.Timeout | undefined;
  if (!asPackets) socket.send(clip.preamble);
  const sendDue = (): void => {
    while (next.releaseMs <= performance.now()) {
      const message = asPackets ? packetOf(clip, index) : clip.frameTags[index];
      // The clip is longer than any window that is measured; at its end the players are closed anyway.
      if (message === undefined) return;
      // What a network holds back counts from when it was due.
      const fromMs = network.jitterMs > 0 ? next.dueMs : performance.now();
      sent.times.set(Math.round((clip.shownMs[index++] ?? 0) / FRAME_MS), performance.timeOrigin + fromMs);
      socket.send(message);
      next = schedule.next().value;
    }
    timer = setTimeout(sendDue, next.releaseMs - performance.now());
  };
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', () => socket.terminate());
  sendDue();
  return sent;
}

function holeOf({ hole }: Network, startMs: number): SentStream['holeMs'] {
  if (hole === undefined) return undefined;
  const fromMs = startMs + hole.atMs;
  return { fromMs, toMs: fromMs + hole.lengthMs };
}

function packetOf(clip: FlvClip, index: number): Uint8Array | undefined {
  const unit = clip.accessUnits[index];
  if (unit === undefined) return undefined;
  const key = clip.isKey[index] === true;
  const mediaTimeUs = mediaUs((clip.shownMs[index] ?? 0) * 1000);
  const header = { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity: false, mediaTimeUs };
  return encodePacket({ ...header, deviceTimeMs: wallMs(0) }, unit);
}

async function answer(request: IncomingMessage, response: ServerResponse, pages: string): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://bench');
  const json = contractAnswer(pathname);
  if (json !== undefined) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ error: false, data: json }));
    return;
  }
  const file = fileOf(pathname, pages);
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
function fileOf(pathname: string, pages: string): string {
  if (pathname.startsWith('/live/')) return join(pages, 'live/index.html');
  if (['/mpegts.html', '/bare.html', '/bareWorker.js'].includes(pathname)) return join(import.meta.dirname, pathname);
  if (pathname === '/mpegts.js') return join(root, 'node_modules/mpegts.js/dist/mpegts.js');
  const locale = /^\/locales\/load\/([\w-]+)\/(\w+)$/.exec(pathname);
  if (locale !== null) return join(root, `public/locales/${locale[1]}/${locale[2]}.json`);
  return join(pages, pathname);
}

async function closeAll(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const client of sockets.clients) client.terminate();
  sockets.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
