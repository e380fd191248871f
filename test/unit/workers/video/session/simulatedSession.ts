// A stream of a playback session on a machine and a network of some speed: the gateway's side of it sends what is due, and what the
// player decodes is painted when its decoder is that far.
import { duePictures } from '../../../../../server/recording/playback/pictureOrder.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import type { VideoUnit } from '../../../../../workers/video/messages.ts';
import { PlaybackClock } from '../../../../../workers/video/session/playbackClock.ts';
import { VideoStream } from '../../../../../workers/video/videoStream.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { type FakeFrame, fakeChunk } from '../decode/fakeDecoder.ts';
import { PacedDecoder } from '../decode/pacedDecoder.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from '../decode/parameterSets.ts';
import type { SentPicture } from '../decode/pictureOrders.ts';

const keyBytes = annexB(setNamed('CIF'), PPS, IDR);
const deltaBytes = annexB(SLICE);
const FRAME_MS = 40;
const LEAD_MS = 400;
const CLOCK_MS = 1_000;
const STEP_MS = 5;
/** Promises of a decoder that is drained settle in so many turns. */
const TURNS = 4;

export interface SimulationOptions {
  /** In the order in which they are sent. */
  readonly pictures: readonly SentPicture[];
  readonly heldBack: number;
  readonly unitMs: () => number;
  /** How long the next message is on its way. Messages keep their order. */
  readonly delayMs: () => number;
}

interface Message {
  readonly atMs: number;
  readonly data: unknown;
}

export class SimulatedSession {
  readonly painted: number[] = [];
  readonly #options: SimulationOptions;
  readonly #timers = new ManualTimers();
  readonly #clock = new PlaybackClock();
  readonly #port = { onmessage: null as MessagePort['onmessage'], close: () => {} };
  readonly #stream: VideoStream;
  /** In the order of their arrival. */
  #wire: Message[] = [];
  #next = 0;
  #sentMaxUs = Number.NEGATIVE_INFINITY;
  #isFresh = true;
  #baseMs = 0;
  #sinceMs = 0;
  #isPaused = false;
  /** The page was told that it can't come to the picture of the pause with what it has. */
  #askedForMs: number | undefined;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const context = { drawImage: ({ timestamp }: FakeFrame) => this.painted.push(timestamp / 1_000 / FRAME_MS) };
    const canvas = Object.assign(new EventTarget(), { width: 0, height: 0, getContext: () => context });
    const { unitMs, heldBack } = options;
    const pace = { timers: this.#timers, unitMs, heldBack };
    this.#stream = new VideoStream(
      canvas as unknown as OffscreenCanvas,
      { width: 320, height: 180 },
      {
        ...this.#timers,
        createDecoder: (init) => new PacedDecoder(init, pace),
        isSupported: () => Promise.resolve(true),
        createChunk: fakeChunk,
        timeOrigin: 0,
        hasBursts: true,
        port: this.#port,
        sink: {
          firstPicture: () => {},
          pictureSize: () => {},
          unit: () => {},
          decoded: () => {},
          shown: () => {},
          leftOut: () => {},
          quiet: () => {},
          ahead: (positionMs) => {
            this.#askedForMs ??= positionMs;
          },
          fault: ({ message }) => {
            throw new Error(message);
          },
        },
        sessionClock: this.#clock,
      },
    );
  }

  get position(): number {
    return this.#positionMs / FRAME_MS;
  }

  /** At a picture, or between two. */
  seek(position: number, isPaused: boolean): void {
    this.#set(position * FRAME_MS, isPaused);
    this.#next = this.#options.pictures.findLastIndex(({ number, key }) => key && number <= this.position);
    this.#sentMaxUs = Number.NEGATIVE_INFINITY;
    this.#isFresh = true;
  }

  /** `atOnce`: the page stands still before the gateway has heard of it. */
  pause(atOnce: boolean): void {
    if (atOnce) this.#clock.hold(this.#timers.now());
    this.#set(this.#positionMs, true);
  }

  play(): void {
    this.#clock.release();
    this.#set(this.#positionMs, false);
  }

  step(): void {
    this.#set((Math.floor(this.position) + 1) * FRAME_MS, true);
  }

  /** Time passes until all that was sent has arrived and was decoded; the page seeks once where it asks for that. */
  async settle(ms: number): Promise<void> {
    this.#askedForMs = undefined;
    await this.pass(ms);
    if (this.#askedForMs === undefined) return;
    this.seek(this.#askedForMs / FRAME_MS, true);
    await this.pass(ms);
  }

  async pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      this.#timers.advance(STEP_MS);
      this.#deliver();
      if (passedMs % FRAME_MS === 0) this.#send();
      if (passedMs % CLOCK_MS === 0 && !this.#isPaused) this.#tell();
      for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
    }
  }

  close(): void {
    this.#stream.close();
  }

  get #positionMs(): number {
    return this.#isPaused ? this.#baseMs : this.#baseMs + this.#timers.now() - this.#sinceMs;
  }

  #set(positionMs: number, isPaused: boolean): void {
    this.#baseMs = positionMs;
    this.#sinceMs = this.#timers.now();
    this.#isPaused = isPaused;
    this.#tell();
  }

  #tell(): void {
    this.#post({ type: 'clock', positionMs: Math.floor(this.#positionMs), speed: 1, paused: this.#isPaused });
  }

  #post(data: unknown): void {
    const lastMs = this.#wire.at(-1)?.atMs ?? 0;
    this.#wire.push({ atMs: Math.max(lastMs, this.#timers.now() + this.#options.delayMs()), data });
  }

  #deliver(): void {
    const nowMs = this.#timers.now();
    const arrived = this.#wire.filter(({ atMs }) => atMs <= nowMs);
    this.#wire = this.#wire.slice(arrived.length);
    for (const { data } of arrived) this.#port.onmessage?.call({} as MessagePort, { data } as MessageEvent);
  }

  #send(): void {
    const rest = this.#options.pictures.slice(this.#next);
    const untilMs = this.#positionMs + (this.#isPaused ? 0 : LEAD_MS);
    const times = rest.map(({ number, key }) => ({ isKey: key, timeUs: number * FRAME_MS * 1_000 }));
    const { count } = duePictures(times, untilMs * 1_000, this.#sentMaxUs);
    for (const { isKey, timeUs } of times.slice(0, count)) {
      this.#sentMaxUs = isKey ? timeUs : Math.max(this.#sentMaxUs, timeUs);
    }
    this.#next += count;
    for (const picture of rest.slice(0, count)) {
      const { buffer } = picture.key ? keyBytes : deltaBytes;
      this.#post({ type: 'units', buffer, units: [unitOf(picture, this.#isFresh)] });
      this.#isFresh = false;
    }
  }
}

function unitOf({ number, key }: SentPicture, discontinuity: boolean): VideoUnit {
  const { byteOffset, byteLength } = key ? keyBytes : deltaBytes;
  const times = { mediaTimeUs: mediaUs(number * FRAME_MS * 1_000), deviceTimeMs: wallMs(0) };
  return { byteOffset, byteLength, ...times, codec: Codec.H264, key, discontinuity, unseen: false };
}
