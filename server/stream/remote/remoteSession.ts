// One person's playback of one terminal's recording: relays packets to the page and the page's commands to the terminal.
// Survives a lost connection of the page for as long as its owner allows.

import {
  encodeStreamEvent,
  type StreamEvent,
  type ViewerMessage,
} from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { RemoteFeed, RemoteListener, RemoteOrder } from '../../device/playback/remoteSource.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { GopCache } from '../../media/gopCache.ts';
import {
  createHubPacket,
  type HubPacket,
  isDiscontinuous,
  isRecovering,
  timesOf,
  withDiscontinuity,
  withUnseen,
} from '../../media/hubPacket.ts';
import { Pacer, WAITING_BYTES_LIMIT } from './pacer.ts';
import { RemoteFlow } from './remoteFlow.ts';
import { RemoteOrders } from './remoteOrders.ts';
import { RemotePosition } from './remotePosition.ts';
import { RemoteSeek } from './remoteSeek.ts';

/** The page's end. */
export interface RemoteViewer {
  readonly wantsAudio: boolean;
  send(packet: HubPacket): void;
  /** Whether its connection has as much unsent data as it should. */
  isBlocked(): boolean;
  /** Playback has ended, for the reason given. */
  over(end: RemoteEnd): void;
}

/** How playback ended: with the recording, or before. */
export type RemoteEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface RemoteSessionDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Once; the session is of no use after it. */
  readonly onOver: (end: RemoteEnd) => void;
  readonly onLimit?: OnLimit | undefined;
  readonly onFault: OnFault;
}

const REMOTE_SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Above this speed only key frames are sent. */
const MAX_FULL_SPEED = 4;
/** A playing terminal that is silent for longer has failed. */
const SILENCE_MS = 10_000;
const CLOCK_INTERVAL_MS = 1_000;
/** Terminals, and their files, end a little before the requested time. */
const END_TOLERANCE_MS = 5_000;
const OVERRUN_MS = 1_000;
/** A seek to the end goes this far before it, because terminals count in whole seconds. */
const LAST_PICTURES_MS = 1_000;
/** A paused terminal is unavailable to others, and its storage and connection stay busy. */
const MAX_PAUSE_MS = 5 * 60 * 1000;

export class RemoteSession {
  readonly #order: RemoteOrder;
  readonly #deps: RemoteSessionDeps;
  readonly #position: RemotePosition;
  readonly #flow = new RemoteFlow();
  readonly #pacer: Pacer;
  readonly #group: GopCache;
  readonly #orders: RemoteOrders;
  #feed: RemoteFeed | undefined;
  #viewer: RemoteViewer | undefined;
  #format: HubPacket | undefined;
  readonly #seek: RemoteSeek;
  #speed = 1;
  #isPaused = false;
  /** Packets that wait, here or on their way, are those of a fast playback: key frames that lie far apart. */
  #isThinned = false;
  /** Gradual refresh begins with the group whose pictures come. */
  #isRecovering = false;
  /** The position that the page is told. After a seek it is the new position, even before its picture has come. */
  #shown: WallMs;
  /** The position sought, until a picture from there has been sent. */
  #sought: WallMs | undefined;
  /** Position of the newest picture sent. */
  #lastShown: WallMs;
  #newest: WallMs;
  #feedEnd: 'terminal' | 'offline' | 'silent' | undefined;
  #isHeld = false;
  #isOver = false;
  #cancelSilence: (() => void) | undefined;
  #cancelClock: (() => void) | undefined;
  #cancelPauseLimit: (() => void) | undefined;

  constructor(order: RemoteOrder, deps: RemoteSessionDeps) {
    this.#order = order;
    this.#deps = deps;
    this.#group = new GopCache(deps.onLimit);
    this.#orders = new RemoteOrders({ ...deps, bringUpToDate: () => this.#tellState() });
    this.#position = new RemotePosition(order);
    this.#shown = order.start;
    this.#lastShown = order.start;
    this.#newest = order.start;
    this.#seek = new RemoteSeek({
      now: deps.now,
      runAfter: deps.runAfter,
      isPaused: () => this.#isPaused && !this.#isOver,
      refused: () => this.#stayHere(),
      onFault: deps.onFault,
    });
    this.#pacer = new Pacer(order.start, {
      now: deps.now,
      runAfter: deps.runAfter,
      release: ({ packet, position }) => this.#release(packet, position),
      isBlocked: () => this.#viewer?.isBlocked() === true,
      hold: (isHeld) => {
        this.#isHeld = isHeld;
        if (isHeld) deps.onLimit?.(WAITING_BYTES_LIMIT);
        this.#feed?.hold(isHeld);
        this.#awaitPackets();
      },
      drained: () => this.#finishWhenDrained(),
    });
  }

  /** Takes the terminal's packets; its owner gives it to the source. */
  readonly listener: RemoteListener = {
    packet: (packet) => this.#take(packet),
    ended: (reason) => this.#endFeed(reason),
  };

  /** The terminal has begun to send. */
  start(feed: RemoteFeed): void {
    this.#feed = feed;
    feed.hold(this.#isHeld);
    this.#awaitPackets();
  }

  /** Sends the viewer what it needs to start in the middle, and everything after that. Replaces the viewer before. */
  attach(viewer: RemoteViewer): void {
    this.#viewer = viewer;
    if (this.#format !== undefined && viewer.wantsAudio) viewer.send(this.#format);
    for (const packet of leadingTo(this.#group.packets())) viewer.send(packet);
    this.#tellClock();
    if (!this.#isPaused) this.#pacer.run();
  }

  /** Detaches the viewer, unless another one has replaced it. */
  detach(viewer: RemoteViewer): void {
    if (this.#viewer !== viewer) return;
    this.#viewer = undefined;
    this.#cancelClock?.();
    this.#pacer.stop();
  }

  handle(message: ViewerMessage): void {
    switch (message.type) {
      case 'pause':
        this.#pause();
        return;
      case 'resume':
        this.#resume();
        return;
      case 'seek':
        this.#seekTo(message.positionMs);
        return;
      case 'speed':
        this.#setSpeed(message.speed);
        return;
      case 'step':
      case 'video':
        return;
    }
  }

  #carryOut(order: Promise<void>): void {
    inBackground('a viewer’s order could not be carried out', order, this.#deps.onFault);
  }

  /** Without a word to the viewer. Safe to call twice. */
  close(): void {
    this.#isOver = true;
    this.#viewer = undefined;
    this.#cancelClock?.();
    this.#cancelSilence?.();
    this.#cancelPauseLimit?.();
    this.#seek.close();
    this.#pacer.close();
    this.#group.clear();
    this.#feed?.close();
  }

  #take(packet: HubPacket): void {
    if (this.#isOver) return;
    this.#awaitPackets();
    const times = timesOf(packet);
    const isElsewhere = this.#isElsewhere(packet);
    if (this.#seek.isUnderway) {
      this.#takeAfterSeek(packet, isElsewhere);
      return;
    }
    if (packet.isVideo && this.#speed > MAX_FULL_SPEED) this.#isThinned = true;
    if (this.#isLeftOut(packet)) return;
    const position = this.#position.of(times);
    this.#newest = position;
    if (position > this.#order.end + OVERRUN_MS) {
      this.#endFeed('terminal');
      return;
    }
    this.#pacer.push({ packet, mediaTimeUs: times.mediaTimeUs, position });
  }

  /** Sound isn't checked: terminals send it up to seconds before or after its pictures. */
  #isElsewhere(packet: HubPacket): boolean {
    const times = timesOf(packet);
    if (!packet.isVideo || !this.#position.isDated(times)) return false;
    return this.#flow.jumpsTo(times.deviceTimeMs, packet.isKey);
  }

  #takeAfterSeek(packet: HubPacket, isElsewhere: boolean): void {
    if (packet.isFormat === true) this.#format = packet;
    const times = timesOf(packet);
    const target = this.#seek.admits({
      isKey: packet.isKey,
      isDiscontinuous: isDiscontinuous(packet),
      isElsewhere,
      isDated: this.#position.isDated(times),
      position: this.#position.of(times),
    });
    if (target === undefined) return;
    this.#position.jumpTo(target);
    const position = this.#position.of(times);
    this.#newest = position;
    this.#pacer.push({ packet: withDiscontinuity(packet), mediaTimeUs: times.mediaTimeUs, position });
  }

  /**
   * Sound is only sent at normal speed. At high speed only key frames are sent, which is all that networks and eyes can take, unless
   * they show nothing by themselves.
   */
  #isLeftOut(packet: HubPacket): boolean {
    if (packet.isFormat === true) return false;
    if (!packet.isVideo) return this.#speed !== 1;
    if (packet.isKey) this.#isRecovering = isRecovering(packet);
    return this.#speed > MAX_FULL_SPEED && !packet.isKey && !this.#isRecovering;
  }

  #release(packet: HubPacket, position: WallMs): void {
    if (packet.isFormat === true) this.#format = packet;
    this.#group.add(packet);
    if (packet.isVideo) this.#noteShown(position);
    // Sound that came before another speed was set may be released after it.
    const isHeard = this.#viewer?.wantsAudio === true && (this.#speed === 1 || packet.isFormat === true);
    if (packet.isVideo || isHeard) this.#viewer?.send(packet);
    if (packet.isVideo) this.#seek.shown(position);
  }

  #noteShown(position: WallMs): void {
    this.#lastShown = position;
    // Pictures before the position sought are not shown.
    if (this.#sought !== undefined && position < this.#sought) return;
    const isArrival = this.#sought !== undefined && this.#isPaused;
    this.#sought = undefined;
    this.#shown = position;
    if (isArrival) this.#tellClock();
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#limitPause();
    this.#pacer.stop();
    this.#awaitPackets();
    this.#tellClock();
    // Doesn't depend on the terminal obeying: if it keeps sending, packets wait here, and the full queue makes the terminal
    // wait.
    this.#orders.give(() => this.#tellState());
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#cancelPauseLimit?.();
    this.#seek.resumed();
    this.#pacer.run();
    this.#awaitPackets();
    this.#tellClock();
    this.#orders.give(() => this.#tellState());
    this.#refill();
  }

  #setSpeed(speed: number): void {
    const before = this.#speed;
    if (!REMOTE_SPEEDS.includes(speed) || speed === before) return;
    this.#speed = speed;
    this.#pacer.setSpeed(speed);
    this.#tellClock();
    if (this.#isPaused) return;
    // Speeds below 1 need no command: the terminal is slowed down by not reading from it.
    if (speed > 1) this.#orders.give(() => this.#steer(speed, before));
    else if (before > 1) this.#orders.give(() => this.#tellState());
    this.#refill();
  }

  /**
   * Key frames that came at 16 times would each be waited for at the new speed, as long as they lie apart: seconds with the same
   * picture. All pictures from the one that is shown come in their place. A terminal that has sent everything has nothing else.
   */
  #refill(): void {
    if (!this.#isThinned || this.#isPaused || this.#speed > MAX_FULL_SPEED || this.#feedEnd !== undefined) return;
    this.#seekTo(this.#shown);
  }

  /** Terminals begin to play at the recorded speed. */
  async #tellState(): Promise<void> {
    if (this.#isOver) return;
    if (this.#isPaused) {
      await this.#feed?.pause();
      return;
    }
    await this.#feed?.play();
    if (this.#speed > 1 && !this.#isPaused) await this.#steer(this.#speed, 1);
  }

  /** A terminal that can't play that fast stays at its former speed. */
  async #steer(speed: number, before: number): Promise<void> {
    const hasObeyed = await this.#feed?.fastForward(speed);
    if (hasObeyed === true || this.#speed !== speed || this.#isOver) return;
    this.#speed = before;
    this.#pacer.setSpeed(before);
    this.#tellClock();
    this.#refill();
  }

  #seekTo(positionMs: number): void {
    const feed = this.#feed;
    if (feed === undefined) return;
    if (this.#feedEnd !== undefined) {
      // The terminal has sent everything and closed its connection, so the page has to request playback again.
      this.#finish(NOT_PLAYING);
      return;
    }
    const { start, end } = this.#order;
    const target = wallMs(Math.min(Math.max(positionMs, start), Math.max(start, end - LAST_PICTURES_MS)));
    if (this.#isPaused) this.#limitPause();
    this.#shown = target;
    this.#sought = target;
    this.#newest = target;
    this.#isThinned = false;
    this.#group.clear();
    this.#pacer.jumpTo(target, this.#isPaused);
    if (this.#viewer === undefined) this.#pacer.stop();
    this.#carryOut(this.#seek.to(target, feed));
    this.#awaitPackets();
    this.#tellClock();
  }

  /** A terminal that can't seek plays on from where it was; the dates in its packets tell the page where that is. */
  #stayHere(): void {
    if (this.#isOver) return;
    this.#sought = undefined;
    this.#shown = this.#lastShown;
    this.#newest = this.#lastShown;
    if (this.#isPaused) this.#pacer.stop();
    this.#tellClock();
  }

  #limitPause(): void {
    this.#cancelPauseLimit?.();
    this.#cancelPauseLimit = this.#deps.runAfter(MAX_PAUSE_MS, () => this.#finish(PAUSED_TOO_LONG));
  }

  /** Restarts the silence timer. A terminal that was paused, held or has finished is expected to be silent. */
  #awaitPackets(): void {
    this.#cancelSilence?.();
    if (this.#isOver || this.#isPaused || this.#isHeld || this.#feedEnd !== undefined) return;
    this.#cancelSilence = this.#deps.runAfter(SILENCE_MS, () => this.#endFeed('silent'));
  }

  #endFeed(reason: 'terminal' | 'offline' | 'silent'): void {
    if (this.#feedEnd !== undefined || this.#isOver) return;
    this.#feedEnd = reason;
    this.#cancelSilence?.();
    if (this.#pacer.isEmpty) this.#finishWhenDrained();
  }

  #finishWhenDrained(): void {
    if (this.#feedEnd === undefined || this.#isOver || (this.#isPaused && !this.#pacer.isEmpty)) return;
    this.#finish(this.#endOf(this.#feedEnd));
  }

  #finish(end: RemoteEnd): void {
    this.close();
    this.#deps.onOver(end);
  }

  #endOf(reason: 'terminal' | 'offline' | 'silent'): RemoteEnd {
    const expectedEnd = Math.min(this.#order.end, this.#feed?.recordedEnd ?? this.#order.end);
    const isNearEnd = this.#newest >= expectedEnd - END_TOLERANCE_MS * Math.max(1, this.#speed);
    // Without a reported end, the terminal's closing of the connection counts as the end of the recording.
    const isUnknown = this.#feed?.recordedEnd === undefined && reason === 'terminal';
    if (isNearEnd || isUnknown) return { kind: 'ended' };
    if (reason === 'offline')
      return { kind: 'failed', code: 'device-offline', message: "The device is offline. Try again when it's online." };
    return {
      kind: 'failed',
      code: 'playback-broken-off',
      message: 'The device stopped sending the recording. Press play to try again.',
    };
  }

  #tellClock(): void {
    this.#cancelClock?.();
    const viewer = this.#viewer;
    if (viewer === undefined || this.#isOver) return;
    // On a congested connection the clock event would arrive too late to be of use.
    if (!viewer.isBlocked()) this.#sendClock(viewer);
    this.#cancelClock = this.#deps.runAfter(CLOCK_INTERVAL_MS, () => this.#tellClock());
  }

  #sendClock(viewer: RemoteViewer): void {
    viewer.send(eventPacket({ type: 'clock', positionMs: this.#shown, speed: this.#speed, paused: this.#isPaused }));
  }
}

/** A group of pictures joined in the middle: the pictures before the newest are decoded and not shown. */
function leadingTo(group: readonly HubPacket[]): HubPacket[] {
  const newestUs = Math.max(...group.map((packet) => timesOf(packet).mediaTimeUs));
  return group.map((packet) => (timesOf(packet).mediaTimeUs < newestUs ? withUnseen(packet) : packet));
}

export const NOT_PLAYING: RemoteEnd = {
  kind: 'failed',
  code: 'not-playing',
  message: "This recording isn't playing anymore. Press play or reload the page.",
};

const PAUSED_TOO_LONG: RemoteEnd = {
  kind: 'failed',
  code: 'paused-too-long',
  message: 'Playback stopped after a long pause. Press play to continue.',
};

export function eventPacket(event: StreamEvent): HubPacket {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false } as const;
  return createHubPacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeStreamEvent(event));
}
