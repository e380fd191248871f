// A gateway of the test's own making: serves the built pages, answers the two calls of a video page as it is told, and
// hands each stream's socket to the test. For what the real gateway never does, or not at a test's command.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { securityHeaders } from '../../../server/http/kernel/headers.ts';
import { LIVE_UPDATES_PATH } from '../../../shared/protocol/api/liveUpdates.ts';
import type { ServerInfo } from '../../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import { type ControlEvent, encodeControlEvent } from '../../../shared/protocol/stream/controlMessages.ts';
import { encodeStreamEvent, type StreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, type Dependence, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';

const root = join(import.meta.dirname, '../../..');

export interface FakeGatewayOptions {
  /** The built pages; by default the product's. */
  readonly webRoot?: string;
  readonly device?: DeviceInfo;
  readonly server?: ServerInfo;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body: string;
  /** JSON unless it says otherwise. */
  readonly type?: string;
}

/** Pictures stand in decoding order. */
export interface ClipPicture {
  readonly bytes: Uint8Array;
  readonly isKey: boolean;
  /** Place in the order of showing; that of decoding unless given. */
  readonly shownAt?: number;
  readonly dependence?: Dependence | undefined;
}

/** One video packet. `frame` numbers it from 0 at 25 frames a second; it may be any number that rises. */
export function videoPacket(picture: ClipPicture, frame: number, discontinuity = false): Uint8Array<ArrayBuffer> {
  const header = {
    kind: PacketKind.Video,
    codec: Codec.H264,
    key: picture.isKey,
    discontinuity,
    dependence: picture.dependence,
    mediaTimeUs: mediaUs(frame * 40_000),
    deviceTimeMs: wallMs(Date.now()),
  };
  return encodePacket(header, picture.bytes);
}

/** One audio packet; `atUs` on the pictures' scale of time. */
export function audioPacket(codec: Codec, bytes: Uint8Array, atUs: number): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Audio, codec, key: false, discontinuity: false };
  return encodePacket({ ...header, mediaTimeUs: mediaUs(atUs), deviceTimeMs: wallMs(Date.now()) }, bytes);
}

export function eventPacket(event: StreamEvent): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false };
  return encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeStreamEvent(event));
}

/** An event of a line to a camera or a loudspeaker. */
export function controlPacket(event: ControlEvent): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false };
  return encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeControlEvent(event));
}

/** One stream or line that a page has opened. */
export class FakeViewer {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly socket: WebSocket;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, path: string, query: URLSearchParams) {
    this.path = path;
    this.socket = socket;
    this.query = query;
    socket.on('close', () => this.stop());
  }

  get channel(): number {
    return Number(this.query.get('channel'));
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  send(packet: Uint8Array): void {
    this.socket.send(packet);
  }

  /**
   * Sends the pictures `from` up to now at once and then one every 40 ms, around the clip and around again. `startFrame`
   * is where in the clip to begin, a key frame unless others have come up to there; `burst` how many pictures come at once before
   * the first one of now. `setByFrames`: the device's clock was set by so many before the first one, which says so.
   */
  play(pictures: readonly ClipPicture[], { startFrame = 0, burst = 0, setByFrames = 0 } = {}): void {
    this.stop();
    const startedMs = performance.now();
    let next = startFrame;
    const sendDue = () => {
      const due = startFrame + burst + Math.floor((performance.now() - startedMs) / 40);
      for (; next <= due && this.isOpen; next++) {
        const index = next % pictures.length;
        const picture = pictures[index];
        if (picture === undefined) continue;
        const number = next - index + (picture.shownAt ?? index) + setByFrames;
        this.send(videoPacket(picture, number, setByFrames !== 0 && next === startFrame));
      }
    };
    sendDue();
    this.#timer = setInterval(sendDue, 5);
  }

  /** Breaks the connection without a closing handshake. */
  cut(): void {
    this.socket.terminate();
  }

  /** Sends no more; the socket stays open. */
  stop(): void {
    clearInterval(this.#timer);
  }
}

export class FakeGateway {
  readonly viewers: FakeViewer[] = [];
  /** Paths with their queries, in the order they were asked for; sockets included. */
  readonly requests: string[] = [];
  /** What a test puts here answers in place of the usual, by path. */
  readonly answers = new Map<string, FakeAnswer>();
  /** Called with each new stream. */
  onViewer: (viewer: FakeViewer) => void = () => {};
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #webRoot: string;

  constructor(options: FakeGatewayOptions = {}) {
    this.#webRoot = options.webRoot ?? join(root, 'dist/web');
    this.answers.set('/api/device/device', success(options.device ?? { chn: 1, installchs: '1', livechs: '1' }));
    this.answers.set('/api/system/server', success(options.server ?? {}));
    // Whoever has a link needs no account.
    this.answers.set('/api/user/status', success({ login: false }));
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      const url = this.#note(request);
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        // The installation says nothing new of itself here.
        if (url.pathname === LIVE_UPDATES_PATH) return;
        const viewer = new FakeViewer(webSocket, url.pathname, url.searchParams);
        this.viewers.push(viewer);
        this.onViewer(viewer);
      });
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many streams are open now. */
  get openCount(): number {
    return this.viewers.filter((viewer) => viewer.isOpen).length;
  }

  async stop(): Promise<void> {
    for (const viewer of this.viewers) {
      viewer.stop();
      viewer.socket.terminate();
    }
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #note(request: IncomingMessage): URL {
    const url = new URL(request.url ?? '/', 'http://localhost');
    this.requests.push(url.pathname + url.search);
    return url;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = this.#note(request);
    const fixed = this.answers.get(pathname);
    if (fixed !== undefined) {
      response.writeHead(fixed.status, { 'content-type': fixed.type ?? 'application/json' }).end(fixed.body);
      return;
    }
    try {
      const file = this.#fileOf(pathname);
      const headers = { ...securityHeaders('video', []), 'content-type': TYPES[extname(file)] ?? 'text/plain' };
      const body = await readFile(file);
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  #fileOf(pathname: string): string {
    const locale = /^\/locales\/load\/([^/]+)\/([^/]+)$/.exec(pathname);
    if (locale !== null) return join(root, 'public/locales', `${locale[1]}`, `${locale[2]}.json`);
    const entry = /^\/(live|playback|remote)\//.exec(pathname);
    if (entry !== null) return join(this.#webRoot, `${entry[1]}`, 'index.html');
    return join(this.#webRoot, normalize(pathname));
  }
}

/** The envelope of a call that went well. */
export function success(data: unknown): FakeAnswer {
  return { status: 200, body: JSON.stringify({ error: false, data }) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
