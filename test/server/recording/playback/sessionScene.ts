// A playback session under a clock that the test moves: nothing waits for real time, only for the disk.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { GopReader } from '../../../../server/recording/playback/gopReader.ts';
import type { SessionDeps, SessionViewer } from '../../../../server/recording/playback/playbackSession.ts';
import { PlaybackSessions } from '../../../../server/recording/playback/playbackSessions.ts';
import {
  parseStreamEvent,
  type StreamEvent,
  type ViewerMessage,
} from '../../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage, type StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Moves only when it is told to, and waits for what its timers set off. */
export class ManualTime {
  readonly #timers = new Set<Timer>();
  readonly #isBusy: () => boolean;
  nowMs = 1_000;
  /** What the gateway's clock is ahead of the monotonic one. */
  wallOffsetMs: number;

  constructor(wallNowMs: number, isBusy: () => boolean) {
    this.wallOffsetMs = wallNowMs - this.nowMs;
    this.#isBusy = isBusy;
  }

  runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = { atMs: this.nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.settle();
    for (;;) {
      const [next] = [...this.#timers].sort((left, right) => left.atMs - right.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.run();
      await this.settle();
    }
    this.nowMs = untilMs;
  }

  /** Runs what falls due, without waiting for what it sets off. */
  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].sort((left, right) => left.atMs - right.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.run();
    }
    this.nowMs = untilMs;
  }

  /** Until nothing is read any more. */
  async settle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 3; quietTurns++) {
      await nextTurn();
      if (this.#isBusy()) quietTurns = 0;
    }
  }
}

/** The same library, counting what is under way. */
function countingLibrary(gopReader: GopReader): {
  readonly gopReader: GopReader;
  readonly isBusy: () => boolean;
  /** How often it was asked anything. */
  readonly requests: () => number;
} {
  let pending = 0;
  let requests = 0;
  const counted = new Proxy(gopReader, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        pending++;
        requests++;
        try {
          return (await Reflect.apply(member, target, given)) as unknown;
        } finally {
          pending--;
        }
      };
    },
  });
  return { gopReader: counted, isBusy: () => pending > 0, requests: () => requests };
}

/** A viewer that notes all it is sent. */
class NotingViewer implements SessionViewer {
  readonly track;
  readonly wantsAudio: boolean;
  packets: StreamPacket[] = [];
  events: StreamEvent[] = [];
  /** What the connection is made to hold back. */
  queued = 0;
  readonly sink;

  constructor(archiveId: string, channel: number, wantsAudio = false) {
    this.track = { archiveId, channel };
    this.wantsAudio = wantsAudio;
    this.sink = {
      send: (packets: readonly Uint8Array<ArrayBuffer>[]) => {
        for (const bytes of packets) this.#note(bytes);
      },
      sendGap: (untilMs: number | null) => this.sendEvent({ type: 'gap', untilMs }),
      queuedBytes: () => this.queued,
    };
  }

  sendEvent(event: StreamEvent): void {
    this.events.push(event);
  }

  #note(bytes: Uint8Array<ArrayBuffer>): void {
    for (const packet of readMessage(bytes.slice()).packets) {
      const event = packet.kind === PacketKind.Event ? parseStreamEvent(packet.payload) : undefined;
      if (event !== undefined) this.events.push(event);
      else this.packets.push(packet);
    }
  }

  /** When the pictures that came are shown, milliseconds since the epoch, in the order that they came in. */
  get pictureTimes(): number[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Video).map(({ mediaTimeUs }) => mediaTimeUs / 1000);
  }

  get soundTimes(): number[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Audio).map(({ mediaTimeUs }) => mediaTimeUs / 1000);
  }

  eventsOf<Type extends StreamEvent['type']>(type: Type): (StreamEvent & { readonly type: Type })[] {
    return this.events.filter((event): event is StreamEvent & { readonly type: Type } => event.type === type);
  }

  forget(): void {
    this.packets = [];
    this.events = [];
  }
}

export interface Watching {
  readonly viewer: NotingViewer;
  say(message: ViewerMessage): void;
  leave(): void;
}

export class SessionScene {
  readonly time: ManualTime;
  readonly sessions: PlaybackSessions;
  readonly faults: Error[] = [];
  /** How often the library was asked anything. */
  readonly requests: () => number;

  constructor(gopReader: GopReader, wallNowMs: number, onLimit: OnLimit = () => undefined) {
    const counted = countingLibrary(gopReader);
    this.requests = counted.requests;
    this.time = new ManualTime(wallNowMs, counted.isBusy);
    const deps: SessionDeps = {
      gopReader: counted.gopReader,
      now: () => this.time.nowMs,
      wallNow: () => this.time.nowMs + this.time.wallOffsetMs,
      runAfter: this.time.runAfter,
      onFault: (error) => this.faults.push(error),
    };
    this.sessions = new PlaybackSessions({ ...deps, onLimit });
  }

  watch(deviceId: string, channel: number, startMs: number, { wantsAudio = false, streamId = 0 } = {}): Watching {
    const viewer = new NotingViewer(deviceId, channel, wantsAudio);
    const key = { username: 'ada', credential: 'secret', deviceId, streamId };
    const membership = this.sessions.join(key, startMs, viewer);
    return { viewer, say: (message) => membership.handle(message), leave: () => membership.leave() };
  }
}
