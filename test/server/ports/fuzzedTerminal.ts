// A signed-in terminal that never sends media itself, and viewers of all its channels: so that what the fuzz sends in its name is
// expected on each of the four media ports. What the fuzz ends is begun again.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessage, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { ControlPath } from '../../../shared/protocol/stream/controlMessages.ts';
import { PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';

export interface FuzzedIdentity {
  readonly deviceId: string;
  readonly number: string;
  /** Where its media comes from. */
  readonly address: string;
  /** Query of a link that opens all of the device. */
  readonly link: string;
  readonly code: string;
}

export const MEDIA = ['main', 'sub', 'playback', 'talk'] as const;
export type Media = (typeof MEDIA)[number];

export const CHANNELS = [1, 2, 3, 4] as const;
const AGAIN_MS = 100;
/** A terminal that signs in is asked for everything at once; one whose streams break off waits up to fifteen seconds. */
const SIGN_IN_AGAIN_MS = 400;
const STREAM_ID = 7;

/** What it says yes to. A question that it refuses is over at once. */
const OBEYED: ReadonlySet<number> = new Set([
  MessageId.liveRequest,
  MessageId.liveControl,
  MessageId.playbackRequest,
  MessageId.playbackControl,
]);

export class FuzzedTerminal {
  readonly identity: FuzzedIdentity;
  /** Packets of pictures and sound that its viewers were sent. */
  readonly shown: Record<Media, number> = { main: 0, sub: 0, playback: 0, talk: 0 };
  readonly #ports: { readonly port: number; readonly signallingPort: number };
  #stopped = new AbortController();
  #socket: Socket | undefined;
  readonly #viewers = new Set<WebSocket>();
  #serial = 0;

  constructor(identity: FuzzedIdentity, ports: { readonly port: number; readonly signallingPort: number }) {
    this.identity = identity;
    this.#ports = ports;
    this.#stopped.abort();
  }

  start(): void {
    this.#stopped = new AbortController();
    const { signal } = this.#stopped;
    const { link } = this.identity;
    void this.#keep(signal, () => this.#signIn());
    for (const channel of CHANNELS) {
      for (const quality of ['main', 'sub'] as const) {
        const path = `${StreamPath.Live}?${link}&channel=${channel}&audio=1&quality=${quality}`;
        void this.#keep(signal, () => this.#watch(path, quality));
      }
    }
    void this.#keep(signal, () => this.#watch(`${ControlPath.Talk}?${link}&channel=1`, 'talk'));
    void this.#keep(signal, () => this.#play(signal));
  }

  stop(): void {
    this.#stopped.abort();
    this.#socket?.destroy();
    for (const viewer of this.#viewers) viewer.terminate();
  }

  async #keep(signal: AbortSignal, once: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await once();
      await delay(AGAIN_MS);
    }
  }

  #signIn(): Promise<void> {
    return new Promise((resolve) => {
      const { address, code } = this.identity;
      const socket = connect({ port: this.#ports.signallingPort, host: '127.0.0.1', localAddress: address });
      const splitter = new FrameSplitter();
      this.#socket = socket;
      socket.on('error', () => socket.destroy());
      const authenticate = (): void => this.#say({ kind: 'authentication', code, imei: '', softwareVersion: '' });
      const again = setInterval(authenticate, SIGN_IN_AGAIN_MS);
      socket.on('close', () => {
        clearInterval(again);
        resolve();
      });
      socket.on('connect', authenticate);
      socket.on('data', (chunk) => {
        for (const event of splitter.push(chunk)) if (event.kind === 'frame') this.#answer(event.bytes);
      });
    });
  }

  #answer(bytes: Uint8Array): void {
    const result = decodeMessage(bytes);
    if (!result.ok || result.message.body.kind === 'platformGeneralReply') return;
    const { messageId, serial } = result.message.header;
    const answer = OBEYED.has(messageId) ? GeneralResult.Ok : GeneralResult.NotSupported;
    this.#say({ kind: 'terminalGeneralReply', replySerial: serial, replyId: messageId, result: answer });
  }

  #say(body: MessageBody): void {
    const terminal = terminalNumber(this.identity.number, '2019');
    const serial = this.#serial++ & 0xffff;
    this.#socket?.write(encodeMessage({ edition: '2019', protocolVersion: 1, terminal, serial }, body));
  }

  #watch(path: string, media: Media): Promise<void> {
    return new Promise((resolve) => {
      const viewer = new WebSocket(`ws://127.0.0.1:${this.#ports.port}${path}`);
      this.#viewers.add(viewer);
      viewer.on('error', () => viewer.terminate());
      viewer.on('close', () => {
        this.#viewers.delete(viewer);
        resolve();
      });
      viewer.on('message', (message: Buffer, isBinary) => {
        if (isBinary && (message[1] === PacketKind.Video || message[1] === PacketKind.Audio)) this.shown[media]++;
      });
    });
  }

  async #play(signal: AbortSignal): Promise<void> {
    const { link, deviceId } = this.identity;
    const url = `http://127.0.0.1:${this.#ports.port}/api/playback/remote/play?${link}`;
    const body = JSON.stringify({
      deviceid: deviceId,
      streamid: STREAM_ID,
      spbtime: PLAYED_FROM_S,
      duration: 1_800,
      chs: 1,
    });
    const requests = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal };
    const hasBegun = await fetch(url, requests).then(
      (response) => response.arrayBuffer().then(() => response.ok),
      () => false,
    );
    if (!hasBegun || signal.aborted) return;
    await this.#watch(`${StreamPath.RemotePlayback}?${link}&channel=1&audio=1&streamid=${STREAM_ID}`, 'playback');
  }
}

/** A plausible date, in seconds since the epoch. */
export const PLAYED_FROM_S = 1_790_000_000;
