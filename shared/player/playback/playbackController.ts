// The page's end of a playback session: what its streams report of the common clock, and what the viewer wants of it. Plain
// TypeScript; the controls read its state and call it. Opens nothing and owns no stream: tiles join and leave.
import type { ClockEvent, ViewerMessage } from '../../protocol/stream/streamMessages.ts';
import type { PlayerStream, StreamReport } from '../engine/engine.ts';
import type { SessionSlot, StreamSession } from '../tile/tileSource.ts';
import { endsAccess } from '../tile/tileState.ts';
import { INITIAL_STATE, isSameState, type PlaybackState, type SlotFacts, stateOf } from './playbackState.ts';
import { isReached, type KnownClock, positionOf, wasLost, within } from './sessionPosition.ts';
import type { TimeRange } from './timeline/ranges.ts';

export interface SessionDeps {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Stops pictures and sound at once; false lets them continue. */
  readonly hold: (isOn: boolean) => void;
}

/** The differences when a device plays and not the server. */
export interface DeviceSide {
  /** The whole range that was requested from the device. */
  readonly bounds: TimeRange;
  /** The viewer wants something, which has been noted, but no stream is open to send it on. */
  unheard(type: ViewerMessage['type']): void;
  /** Whether the error with this code is handled, so that the tile need not show it. */
  recovers(code: string): boolean;
}

interface Slot extends SlotFacts {
  readonly stream: Pick<PlayerStream, 'send'>;
  isOpen: boolean;
}

/** From slow motion to a day in an hour and a half. Above 4 the gateway sends key frames alone. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** While the viewer drags: time for the pictures of a seek to come before the next one takes them away. */
const SEEK_INTERVAL_MS = 100;
/** The fastest backward play. It is a series of single pictures, sought while paused: the gateway's clock only goes forward. */
const MOST_BACKWARD = 8;
/** A device does not play backwards; the key for it goes back a little. */
const BACKWARD_MS = 5_000;
/** A seek without an answer is given up after this. */
const SEEK_ANSWER_MS = 2_000;

const browserDeps: Omit<SessionDeps, 'hold'> = {
  now: () => performance.now(),
  runAfter: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export class PlaybackController implements StreamSession {
  readonly #deps: SessionDeps;
  readonly #device: DeviceSide | undefined;
  readonly #slots = new Set<Slot>();
  readonly #listeners = new Set<() => void>();
  #clock: KnownClock | undefined;
  /** Where the viewer wants to be, until the server says that it is there. */
  #wantedMs: number | undefined;
  /** The newest seek that was sent and not answered. */
  #sent: { readonly positionMs: number; readonly atMs: number } | undefined;
  #cancelNextSeek: (() => void) | undefined;
  /** No stream is open; the next one may report a new session. */
  #isLost = false;
  /** Set while playing backwards, since `sinceMs`. */
  #backward:
    | { readonly speed: number; readonly fromMs: number; readonly sinceMs: number; readonly cancel: () => void }
    | undefined;
  #resumesAfterDrag: boolean | undefined;
  /** The viewer's last request was the pause. */
  #hasJustPaused = false;
  #state: PlaybackState = INITIAL_STATE;

  constructor(hold: SessionDeps['hold'], deps: Omit<SessionDeps, 'hold'> = browserDeps, device?: DeviceSide) {
    this.#deps = { ...deps, hold };
    this.#device = device;
  }

  /** Whether the server's clock determines when each picture is shown. Otherwise pictures are shown as they come. */
  get isPaced(): boolean {
    return this.#device === undefined;
  }

  /** Whether single pictures, and with them backward play, are available: devices have only whole seconds. */
  get canStep(): boolean {
    return this.#device === undefined;
  }

  /** Whether playing is what comes next. A device's playback is over at its end; the server's waits there. */
  get isStill(): boolean {
    const { isPaused, hasEnded } = this.#state;
    return isPaused || (hasEnded && this.#device !== undefined);
  }

  /** Whether a stream is open to send messages on. */
  get isOpen(): boolean {
    return this.#leader !== undefined;
  }

  /** The range outside of which there is nothing to play; undefined where there is no such limit. */
  get bounds(): TimeRange | undefined {
    return this.#device?.bounds;
  }

  readonly recovers = (code: string): boolean => this.#device?.recovers(code) === true;

  get state(): PlaybackState {
    return this.#state;
  }

  /** Calls after every change of the state; gives its own cancel. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The session's position now, or once the server has followed; undefined before the server's first report. */
  positionMs(): number | undefined {
    if (this.#wantedMs !== undefined) return this.#wantedMs;
    if (this.#clock === undefined || this.#isLost) return this.#clock?.positionMs;
    const positionMs = positionOf(this.#clock, this.#deps.now());
    return this.bounds === undefined ? positionMs : Math.min(positionMs, this.bounds.toMs);
  }

  join(stream: Pick<PlayerStream, 'send'>): SessionSlot {
    const slot: Slot = { stream, isOpen: false, endedAtMs: undefined, isRefused: false };
    this.#slots.add(slot);
    return {
      note: (report) => this.#note(slot, report),
      leave: () => {
        this.#close(slot);
        this.#slots.delete(slot);
      },
    };
  }

  play(): void {
    this.#stopBackward();
    this.#deps.hold(false);
    this.#send({ type: 'resume' });
  }

  pause(): void {
    this.#stopBackward();
    if (this.#state.isPaused) return;
    this.#deps.hold(true);
    if (this.#clock !== undefined) this.#know({ ...this.#clockNow(this.#clock), paused: true });
    this.#send({ type: 'pause' });
  }

  /** The device will send no more until the viewer asks for it. */
  halt(): void {
    this.#stopBackward();
    if (this.#clock !== undefined) this.#know({ ...this.#clockNow(this.#clock), paused: true });
  }

  toggle(): void {
    if (this.isStill && this.#backward === undefined) this.play();
    else this.pause();
  }

  setSpeed(speed: number): void {
    this.#send({ type: 'speed', speed });
  }

  /** Goes to a moment. Of seeks that come faster than pictures can, only the newest is sent. */
  seek(positionMs: number): void {
    this.#stopBackward();
    this.#seekTo(positionMs);
  }

  #seekTo(positionMs: number): void {
    // Also for a seek that waits for its turn: the picture of the pause is no longer the one that is wanted.
    this.#hasJustPaused = false;
    this.#wantedMs = within(this.bounds, positionMs);
    if (this.#cancelNextSeek === undefined) this.#sendSeek();
    this.#tell();
  }

  seekBy(deltaMs: number): void {
    const positionMs = this.positionMs();
    if (positionMs !== undefined) this.seek(positionMs + deltaMs);
  }

  /** Steps by this many pictures, forward or (negative) back. */
  step(frames: number): void {
    if (!this.canStep) return;
    this.pause();
    this.#dropSeek();
    this.#send({ type: 'step', frames });
  }

  /** Plays; faster with each call. */
  forward(): void {
    const { isPaused, speed } = this.#state;
    const wasBackward = this.#backward !== undefined;
    this.#stopBackward();
    if (isPaused || wasBackward) {
      if (speed !== 1) this.setSpeed(1);
      this.play();
    } else {
      this.setSpeed(SPEEDS.find((other) => other > speed && other >= 1) ?? speed);
    }
  }

  /** Plays backwards, as single pictures; faster with each call. */
  backward(): void {
    if (!this.canStep) {
      this.seekBy(-BACKWARD_MS);
      return;
    }
    const speed = Math.min((this.#backward?.speed ?? 0.5) * 2, MOST_BACKWARD);
    this.#stopBackward();
    this.pause();
    const positionMs = this.positionMs();
    if (positionMs === undefined) return;
    this.#backward = { speed, fromMs: positionMs, sinceMs: this.#deps.now(), cancel: () => {} };
    this.#goBack();
  }

  #goBack(): void {
    const run = this.#backward;
    if (run === undefined) return;
    this.#seekTo(run.fromMs - (this.#deps.now() - run.sinceMs) * run.speed);
    this.#backward = { ...run, cancel: this.#deps.runAfter(SEEK_INTERVAL_MS, () => this.#goBack()) };
  }

  #stopBackward(): void {
    this.#backward?.cancel();
    this.#backward = undefined;
  }

  /** The viewer has taken hold of the position: play stands still until it is let go. */
  startDrag(): void {
    if (this.#resumesAfterDrag !== undefined) return;
    this.#resumesAfterDrag = !this.#state.isPaused;
    this.pause();
  }

  endDrag(): void {
    const resumes = this.#resumesAfterDrag;
    this.#resumesAfterDrag = undefined;
    // Play goes on where the viewer let go, not where the last seek happened to lead.
    if (this.#wantedMs !== undefined && this.#wantedMs !== this.#sent?.positionMs) this.#sendSeek();
    if (resumes === true) this.play();
    else if (resumes === false && this.#leader === undefined) this.#tellDevice({ type: 'seek' });
  }

  /** Safe to call twice. */
  close(): void {
    this.#stopBackward();
    this.#dropSeek();
    this.#listeners.clear();
  }

  #note(slot: Slot, report: StreamReport): void {
    switch (report.type) {
      case 'opened':
        slot.isOpen = true;
        if (this.#device !== undefined) slot.endedAtMs = undefined;
        return;
      case 'closed':
        this.#close(slot);
        return;
      case 'shown':
        // Reports of pictures come late: only a picture shown after the end means that the end is over.
        if (this.#deps.now() - report.ageMs > (slot.endedAtMs ?? 0)) slot.endedAtMs = undefined;
        this.#show();
        return;
      case 'quiet':
        slot.endedAtMs = report.event.type === 'ended' ? this.#endedAt() : undefined;
        this.#show();
        return;
      case 'ahead':
        // The picture that the viewer paused at stays, and steps count from it.
        if (this.#hasJustPaused) this.#seekTo(report.positionMs);
        return;
      case 'event':
        if (report.event.type === 'error' && endsAccess(report.event.code)) this.#refuse(slot);
        if (report.event.type !== 'clock') return;
        slot.isOpen = true;
        slot.isRefused = false;
        // All streams report the same clock; a late report of another one would set it back for a moment.
        if (slot === this.#leader) this.#follow(report.event);
        return;
      default:
        return;
    }
  }

  #refuse(slot: Slot): void {
    slot.isRefused = true;
    this.#show();
  }

  /** Pictures that are shown as they come may still be shown after the end was reported; a device's end is final. */
  #endedAt(): number {
    return this.#device === undefined ? this.#deps.now() : Number.POSITIVE_INFINITY;
  }

  #close(slot: Slot): void {
    slot.isOpen = false;
    if (this.#leader !== undefined || this.#clock === undefined || this.#isLost) return;
    this.#isLost = true;
    // The server keeps the position for a while, and so do we; a seek without an answer may not have reached it.
    const positionMs = this.#wantedMs;
    const clock = this.#clockNow(this.#clock);
    this.#clock = positionMs === undefined ? clock : { ...clock, positionMs };
    this.#dropSeek();
    this.#deps.hold(true);
  }

  get #leader(): Slot | undefined {
    for (const slot of this.#slots) if (slot.isOpen) return slot;
    return undefined;
  }

  #follow(event: ClockEvent): void {
    const told: KnownClock = { ...event, atMs: this.#deps.now() };
    const before = this.#clock;
    if (this.#isLost && before !== undefined) {
      this.#isLost = false;
      this.#deps.hold(false);
      if (wasLost(before, told)) {
        this.#restore(before, told);
        return;
      }
    }
    if (this.#sent !== undefined && isReached(this.#sent.positionMs, told)) this.#endSeek();
    this.#know(told);
  }

  /** The server has forgotten the session and begins a new one, so it is told where the session was. */
  #restore(before: KnownClock, told: KnownClock): void {
    const { positionMs, speed, paused } = before;
    this.#send({ type: 'speed', speed });
    if (paused) this.#send({ type: 'pause' });
    // The pause may arrive before the first picture; a seek brings one.
    if (paused || !isReached(positionMs, told)) {
      this.#wantedMs = positionMs;
      this.#sendSeek();
    }
    this.#know({ ...before, atMs: this.#deps.now() });
  }

  #sendSeek(): void {
    if (this.#wantedMs === undefined) return;
    if (this.#leader === undefined) {
      this.#send({ type: 'seek', positionMs: Math.round(this.#wantedMs) });
      this.#dropSeek();
      return;
    }
    this.#sent = { positionMs: this.#wantedMs, atMs: this.#deps.now() };
    this.#send({ type: 'seek', positionMs: Math.round(this.#wantedMs) });
    this.#awaitAnswer();
  }

  #awaitAnswer(): void {
    this.#cancelNextSeek?.();
    this.#cancelNextSeek = this.#deps.runAfter(SEEK_INTERVAL_MS, () => {
      this.#cancelNextSeek = undefined;
      const sentMs = this.#sent?.atMs ?? Number.NEGATIVE_INFINITY;
      if (this.#deps.now() - sentMs < SEEK_ANSWER_MS) {
        this.#awaitAnswer();
        return;
      }
      if (this.#sent !== undefined) this.#endSeek();
      if (this.#wantedMs !== undefined) this.#sendSeek();
      this.#tell();
    });
  }

  /** Ends the seek that was answered or given up. */
  #endSeek(): void {
    if (this.#wantedMs === this.#sent?.positionMs) this.#wantedMs = undefined;
    this.#sent = undefined;
  }

  #dropSeek(): void {
    this.#cancelNextSeek?.();
    this.#cancelNextSeek = undefined;
    this.#wantedMs = undefined;
    this.#sent = undefined;
  }

  #send(message: ViewerMessage): void {
    this.#hasJustPaused = message.type === 'pause';
    const leader = this.#leader;
    if (leader === undefined) this.#keep(message);
    else leader.stream.send(message);
  }

  /** Keeps what was said while no stream was open: it applies to the next session that is reported. */
  #keep(message: ViewerMessage): void {
    const clock = this.#clock;
    if (clock === undefined) return;
    if (message.type === 'resume') this.#know({ ...clock, paused: false });
    if (message.type === 'speed') this.#know({ ...clock, speed: message.speed });
    if (message.type === 'seek') {
      for (const slot of this.#slots) slot.endedAtMs = undefined;
      this.#know({ ...clock, positionMs: message.positionMs });
    }
    this.#tellDevice(message);
  }

  #tellDevice({ type }: Pick<ViewerMessage, 'type'>): void {
    // While dragging, only the position where the viewer lets go is one to go to.
    const isPassing = type === 'seek' && this.#resumesAfterDrag !== undefined;
    if (!isPassing) this.#device?.unheard(type);
  }

  #clockNow(clock: KnownClock): KnownClock {
    const atMs = this.#deps.now();
    return { ...clock, positionMs: positionOf(clock, atMs), atMs };
  }

  #know(clock: KnownClock): void {
    this.#clock = clock;
    this.#show();
  }

  #show(): void {
    const clock = this.#clock;
    if (clock === undefined) return;
    const next = stateOf(clock, [...this.#slots]);
    if (!isSameState(this.#state, next)) this.#state = next;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
