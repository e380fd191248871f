// A playback session of the test's own making, on a FakeGateway: recordings whose pictures are locked to the epoch (the number
// in the strip is that of the moment), paced by one clock as the gateway's are. For what a test must have at its command:
// networks, gaps, restarts.
import { parseViewerMessage, type ViewerMessage } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { spoilt } from '../media/spoilt.ts';
import { type ClipPicture, eventPacket, type FakeGateway, type FakeViewer, success } from './fakeStream.ts';

export interface FakeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface FakePlaybackOptions {
  /** A loop that begins at the epoch, 25 pictures a second. */
  readonly pictures: readonly ClipPicture[];
  /** What is recorded of a channel; everything by default. */
  readonly ranges?: (channel: number) => readonly FakeRange[];
  /** A pause takes the session back by so much, as if the page had heard of it that much late. */
  readonly pausesBeforeMs?: number;
  /** How long a channel's next message is on its way. Messages keep their order. */
  readonly delayMs?: (channel: number) => number;
}

interface FakeClock {
  readonly positionMs: number;
  readonly sinceMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

interface Feed {
  readonly viewer: FakeViewer;
  nextFrame: number;
  isFresh: boolean;
  gapUntilMs: number | undefined;
  way: Promise<void>;
}

const FRAME_MS = 40;
const LEAD_MS = 400;
const EVERYTHING: readonly FakeRange[] = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];

export class FakePlayback {
  readonly messages: ViewerMessage[] = [];
  readonly #options: FakePlaybackOptions;
  readonly #feeds = new Map<FakeViewer, Feed>();
  #clock: FakeClock | undefined;
  #clockSentMs = 0;
  #spoilsNext = false;
  readonly #timer: NodeJS.Timeout;

  /** Takes the gateway's streams over. */
  constructor(gateway: FakeGateway, options: FakePlaybackOptions) {
    this.#options = options;
    gateway.onViewer = (viewer) => this.#join(viewer);
    const channels = Array.from({ length: 8 }, (_, index) => ({
      channel: index + 1,
      ranges: this.#rangesOf(index + 1),
    }));
    gateway.answers.set('/api/playback/local/ranges', success({ channels }));
    this.#timer = setInterval(() => this.#tick(), 20);
  }

  get positionMs(): number {
    const clock = this.#clock;
    if (clock === undefined) return Number.NaN;
    return clock.paused ? clock.positionMs : clock.positionMs + (performance.now() - clock.sinceMs) * clock.speed;
  }

  /** Where the session, which has run since, stood at a moment since the epoch. */
  positionAtMs(epochMs: number): number {
    const agoMs = performance.timeOrigin + performance.now() - epochMs;
    return this.positionMs - agoMs * (this.#clock?.speed ?? 1);
  }

  /** Loses everything, as a gateway does that is started again. */
  restart(): void {
    for (const { viewer } of this.#feeds.values()) viewer.cut();
    this.#feeds.clear();
    this.#clock = undefined;
  }

  /** Sends noise in place of the next key frame's picture. */
  spoilNextKeyFrame(): void {
    this.#spoilsNext = true;
  }

  /** Falls silent: the streams stay open and bring nothing more. */
  close(): void {
    clearInterval(this.#timer);
  }

  #join(viewer: FakeViewer): void {
    this.#clock ??= {
      positionMs: Number(viewer.query.get('spbtime')) * 1_000,
      sinceMs: performance.now(),
      speed: 1,
      paused: false,
    };
    const feed: Feed = { viewer, nextFrame: 0, isFresh: true, gapUntilMs: undefined, way: Promise.resolve() };
    this.#feeds.set(viewer, feed);
    viewer.socket.on('close', () => this.#feeds.delete(viewer));
    viewer.socket.on('message', (data) => {
      const message = parseViewerMessage(String(data));
      if (message !== undefined) this.#handle(message);
    });
    this.#tellClock(feed);
    this.#restartFeed(feed);
    this.#tick();
  }

  #handle(message: ViewerMessage): void {
    this.messages.push(message);
    const positionMs = this.positionMs;
    const sinceMs = performance.now();
    const clock = this.#clock;
    if (clock === undefined) return;
    switch (message.type) {
      case 'pause': {
        const { pausesBeforeMs = 0 } = this.#options;
        this.#set({ ...clock, positionMs: positionMs - pausesBeforeMs, sinceMs, paused: true }, false);
        return;
      }
      case 'resume':
        this.#set({ ...clock, positionMs, sinceMs, paused: false }, false);
        return;
      case 'speed': {
        const wasKeys = clock.speed > 4;
        this.#set({ ...clock, positionMs, sinceMs, speed: message.speed }, wasKeys !== message.speed > 4);
        return;
      }
      case 'seek':
        this.#set({ ...clock, positionMs: message.positionMs, sinceMs }, true);
        return;
      case 'step': {
        const target = (Math.floor(positionMs / FRAME_MS) + message.frames) * FRAME_MS;
        this.#set({ ...clock, positionMs: target, sinceMs, paused: true }, message.frames < 0);
        return;
      }
      case 'video':
        return;
    }
  }

  #set(clock: FakeClock, restarts: boolean): void {
    this.#clock = clock;
    for (const feed of this.#feeds.values()) {
      this.#tellClock(feed);
      if (restarts) this.#restartFeed(feed);
    }
    this.#tick();
  }

  #restartFeed(feed: Feed): void {
    const { pictures } = this.#options;
    let frame = Math.floor(this.positionMs / FRAME_MS);
    while (pictures[frame % pictures.length]?.isKey !== true) frame--;
    feed.nextFrame = frame;
    feed.isFresh = true;
    feed.gapUntilMs = undefined;
  }

  #tick(): void {
    const clock = this.#clock;
    if (clock === undefined) return;
    for (const feed of this.#feeds.values()) this.#pump(feed, clock);
    if (clock.paused || performance.now() - this.#clockSentMs < 1_000) return;
    for (const feed of this.#feeds.values()) this.#tellClock(feed);
  }

  #pump(feed: Feed, { speed, paused }: FakeClock): void {
    const { pictures } = this.#options;
    const untilMs = this.positionMs + (paused ? 0 : LEAD_MS * speed);
    const ranges = this.#rangesOf(feed.viewer.channel);
    const packets: Uint8Array[] = [];
    for (; feed.nextFrame * FRAME_MS <= untilMs; feed.nextFrame++) {
      const atMs = feed.nextFrame * FRAME_MS;
      const picture = pictures[feed.nextFrame % pictures.length];
      if (picture === undefined) return;
      if (!ranges.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)) {
        this.#tellGap(feed, ranges, atMs);
        continue;
      }
      // Behind a gap only a key frame makes a beginning.
      if (feed.isFresh && !picture.isKey) continue;
      if (!picture.isKey && speed > 4 && !paused) continue;
      const spoils = this.#spoilsNext && picture.isKey;
      if (spoils) this.#spoilsNext = false;
      packets.push(packetOf(spoils ? { ...picture, bytes: spoilt(picture.bytes) } : picture, atMs, feed.isFresh));
      feed.isFresh = false;
      feed.gapUntilMs = undefined;
    }
    for (const packet of packets) this.#send(feed, packet);
  }

  #rangesOf(channel: number): readonly FakeRange[] {
    return this.#options.ranges?.(channel) ?? EVERYTHING;
  }

  #tellGap(feed: Feed, ranges: readonly FakeRange[], atMs: number): void {
    const untilMs = ranges.find(({ fromMs }) => fromMs > atMs)?.fromMs ?? null;
    feed.isFresh = true;
    if (feed.gapUntilMs === (untilMs ?? 0)) return;
    feed.gapUntilMs = untilMs ?? 0;
    this.#send(feed, eventPacket({ type: 'gap', untilMs }));
  }

  #tellClock(feed: Feed): void {
    const { speed = 1, paused = false } = this.#clock ?? {};
    this.#clockSentMs = performance.now();
    this.#send(feed, eventPacket({ type: 'clock', positionMs: Math.floor(this.positionMs), speed, paused }));
  }

  #send(feed: Feed, packet: Uint8Array): void {
    const { viewer } = feed;
    if (this.#options.delayMs === undefined) {
      if (viewer.isOpen) viewer.send(packet);
      return;
    }
    const delayMs = this.#options.delayMs(viewer.channel);
    const sentMs = performance.now();
    feed.way = feed.way.then(async () => {
      const restMs = sentMs + delayMs - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      if (viewer.isOpen) viewer.send(packet);
    });
  }
}

function packetOf(picture: ClipPicture, atMs: number, discontinuity: boolean): Uint8Array {
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: picture.isKey, discontinuity };
  return encodePacket({ ...header, mediaTimeUs: mediaUs(atMs * 1_000), deviceTimeMs: wallMs(atMs) }, picture.bytes);
}
