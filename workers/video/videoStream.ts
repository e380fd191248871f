// One stream from access units to painted pictures. Owns its port, its decoder, its canvas and the frames in between.
import type { QuietEvent } from '../../shared/protocol/streamMessages.ts';
import { BurstGate } from './burstGate.ts';
import { CanvasPainter } from './canvasPainter.ts';
import { FrameSlot, type HeldFrame } from './frameSlot.ts';
import type { PictureView, PixelSize, ToVideoStream, VideoFault, VideoUnit } from './messages.ts';
import type { PictureMirror } from './pictureMirror.ts';
import { WHOLE } from './pictureView.ts';
import type { PlaybackClock } from './playbackClock.ts';
import { PlayoutClock } from './playoutClock.ts';
import { SessionScreen } from './sessionScreen.ts';
import { type FrameTimes, StreamDecoder, type StreamDecoderDeps } from './streamDecoder.ts';
import { paintIntervalMs, TurnLog } from './turnLog.ts';
import { type QueuedUnit, UnitQueue } from './unitQueue.ts';

export interface VideoStreamSink {
  /** The first picture on the present canvas. */
  firstPicture(): void;
  pictureSize(size: PixelSize): void;
  /** A unit had its turn; whether the decoder took it. */
  unit(unit: VideoUnit, isTaken: boolean): void;
  decoded(): void;
  shown(times: FrameTimes): void;
  /** A picture came late and a newer one stood ready. */
  leftOut(times: FrameTimes): void;
  /** Of a session: all that came before has been shown. */
  quiet(event: QuietEvent): void;
  /** Of a session that came to a stand before the picture that is shown, which is of this moment. */
  ahead(positionMs: number): void;
  fault(fault: VideoFault): void;
}

export interface VideoStreamDeps
  extends Pick<StreamDecoderDeps, 'createDecoder' | 'createChunk' | 'isSupported' | 'now'> {
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Epoch milliseconds less `now`. */
  readonly timeOrigin: number;
  readonly port: Pick<MessagePort, 'onmessage' | 'close'>;
  readonly sink: VideoStreamSink;
  /** Whether several pictures may come at once of which only the newest is of use. */
  readonly hasBursts: boolean;
  /** The page's clock, of a stream that belongs to a playback session. */
  readonly sessionClock?: PlaybackClock | undefined;
}

export class VideoStream {
  readonly #deps: VideoStreamDeps;
  readonly #decoder: StreamDecoder;
  readonly #gate = new BurstGate();
  readonly #clock = new PlayoutClock();
  readonly #queue: UnitQueue;
  readonly #slot = new FrameSlot();
  /** The newest picture shown: to be drawn again when the view changes, and for whoever wants it whole. */
  readonly #shown = new FrameSlot();
  #view: PictureView = WHOLE;
  #mirror: PictureMirror | undefined;
  /** From the first word of the session's clock on; a server that sends none is shown as it sends. */
  #session: SessionScreen | undefined;
  #painter: CanvasPainter;
  #isPainted = false;
  #size: PixelSize = { width: 0, height: 0 };
  #cancelSettle: (() => void) | undefined;
  readonly #turns = new TurnLog();
  /** The newest of the pictures that came late: waits for its time to be painted. */
  readonly #late = new FrameSlot();
  #paintedMs = Number.NEGATIVE_INFINITY;
  #cancelLate: (() => void) | undefined;

  constructor(canvas: OffscreenCanvas, box: PixelSize, deps: VideoStreamDeps) {
    this.#deps = deps;
    this.#painter = new CanvasPainter(canvas, box, { onFault: deps.sink.fault, now: deps.now });
    this.#decoder = new StreamDecoder({
      ...deps,
      onFrame: (frame, times) => {
        deps.sink.decoded();
        if (this.#session === undefined) this.#judge(frame, times);
        else this.#session.decoded(frame, times);
      },
      onFault: deps.sink.fault,
    });
    this.#queue = new UnitQueue({ ...deps, onDue: (queued) => this.#decode(queued) });
    deps.port.onmessage = ({ data }: MessageEvent<ToVideoStream>) => this.#handle(data);
  }

  /** How long pictures are held back for a network that delivers unevenly. */
  get delayMs(): number {
    return this.#clock.delayMs;
  }

  /** How long a unit takes from its turn to its picture. */
  get decodeMs(): number {
    return this.#decoder.decodeMs;
  }

  resize(box: PixelSize): void {
    this.#painter.resize(box);
  }

  replaceCanvas(canvas: OffscreenCanvas, box: PixelSize): void {
    this.#painter = new CanvasPainter(canvas, box, { onFault: this.#deps.sink.fault, now: this.#deps.now });
    this.#painter.setView(this.#view);
    this.#isPainted = false;
  }

  /** Shows another part of the picture, at once. */
  setView(view: PictureView): void {
    this.#view = view;
    this.#painter.setView(view);
    const { held } = this.#shown;
    if (held !== undefined && this.#isPainted) this.#painter.paint(held.frame);
  }

  /** The newest picture shown. It stays the stream's. */
  get newest(): HeldFrame | undefined {
    return this.#shown.held;
  }

  /** Takes the mirror over, in place of the one before. */
  setMirror(mirror: PictureMirror | undefined): void {
    this.#mirror?.close();
    this.#mirror = mirror;
    if (this.newest !== undefined) mirror?.show(this.newest.frame);
  }

  /** Safe to call twice. */
  close(): void {
    this.#deps.port.onmessage = null;
    this.#deps.port.close();
    this.#cancelSettle?.();
    this.#queue.clear();
    this.#session?.close();
    this.#decoder.close();
    this.#slot.close();
    this.#cancelLate?.();
    this.#late.close();
    this.#shown.close();
    this.setMirror(undefined);
  }

  #handle(message: ToVideoStream): void {
    switch (message.type) {
      case 'start':
        this.#queue.clear();
        this.#clock.restart();
        this.#decoder.restart();
        this.#turns.clear();
        this.#restartGate();
        this.#session?.restart();
        return;
      case 'clock':
        this.#joinSession()?.clock(message);
        return;
      case 'gap':
      case 'ended':
        if (this.#session === undefined) this.#deps.sink.quiet(message);
        else this.#session.quiet(message);
        return;
      case 'units':
        for (const unit of message.units) {
          const bytes = new Uint8Array(message.buffer, unit.byteOffset, unit.byteLength);
          if (this.#session === undefined) this.#take(unit, bytes, message.receivedAt);
          else this.#session.push(unit, bytes);
        }
        this.#session?.flush();
        return;
    }
  }

  #joinSession(): SessionScreen | undefined {
    const { sessionClock, sink } = this.#deps;
    if (this.#session !== undefined || sessionClock === undefined) return this.#session;
    this.#queue.clear();
    this.#restartGate();
    this.#session = new SessionScreen({
      ...this.#deps,
      clock: sessionClock,
      decode: (unit, bytes) => this.#push(unit, bytes),
      drain: () => this.#decoder.drain(),
      abandon: () => this.#decoder.abandon(),
      backlog: () => this.#decoder.backlog,
      show: (frame, times) => this.#show(frame, times),
      onQuiet: sink.quiet,
      onAhead: sink.ahead,
    });
    return this.#session;
  }

  #take(unit: VideoUnit, bytes: Uint8Array, receivedAt: number): void {
    if (unit.key && unit.discontinuity) this.#clock.restart();
    const arrivedMs = Math.min(receivedAt - this.#deps.timeOrigin, this.#deps.now());
    this.#queue.push({ unit, bytes, arrivedMs, dueMs: this.#clock.arrived(unit.mediaTimeUs, arrivedMs) });
  }

  #decode({ unit, bytes, arrivedMs, dueMs }: QueuedUnit): void {
    if (unit.key && unit.discontinuity) this.#restartGate();
    this.#turns.note(unit.mediaTimeUs, dueMs);
    if (this.#push(unit, bytes)) this.#noteArrival(unit.mediaTimeUs, arrivedMs);
  }

  #push(unit: VideoUnit, bytes: Uint8Array): boolean {
    const isTaken = this.#decoder.push(unit, bytes);
    this.#deps.sink.unit(unit, isTaken);
    return isTaken;
  }

  #restartGate(): void {
    this.#late.close();
    this.#cancelSettle?.();
    this.#slot.close();
    this.#gate.start();
  }

  /** Bursts show in when units came, not in when their turn was. */
  #noteArrival(mediaTimeUs: FrameTimes['mediaTimeUs'], arrivedMs: number): void {
    const settleAtMs = this.#gate.arrived(mediaTimeUs, arrivedMs);
    if (settleAtMs === undefined) return;
    this.#cancelSettle?.();
    // Counted from now, not from the arrival: on a busy machine the rest of the burst is in, and waits to be taken.
    this.#cancelSettle = this.#deps.after(Math.max(0, settleAtMs - arrivedMs), () => this.#settle());
  }

  #settle(): void {
    this.#gate.settle();
    const held = this.#slot.take();
    if (held !== undefined) this.#judge(held.frame, held.times);
  }

  /** Takes the frame over. */
  #judge(frame: VideoFrame, times: FrameTimes): void {
    const verdict = this.#deps.hasBursts ? this.#gate.judge(times.mediaTimeUs, this.#deps.now()) : 'show';
    if (verdict === 'hold') {
      this.#slot.put({ frame, times });
      return;
    }
    const nowMs = this.#deps.now();
    const dueMs = this.#paintedMs + paintIntervalMs(this.#turns.lateness(times.mediaTimeUs, nowMs));
    if (verdict === 'skip') frame.close();
    else if (dueMs > nowMs) this.#showLate({ frame, times }, dueMs - nowMs);
    else {
      this.#leaveLateOut();
      this.#show(frame, times);
    }
  }

  /** Takes the frame over. What comes out in the meantime takes its place. */
  #showLate(picture: HeldFrame, waitMs: number): void {
    this.#leaveLateOut();
    this.#late.put(picture);
    this.#cancelLate ??= this.#deps.after(waitMs, () => {
      this.#cancelLate = undefined;
      const held = this.#late.take();
      if (held !== undefined) this.#show(held.frame, held.times);
    });
  }

  #leaveLateOut(): void {
    const { held } = this.#late;
    if (held !== undefined) this.#deps.sink.leftOut(held.times);
    this.#late.close();
  }

  /** Takes the frame over. */
  #show(frame: VideoFrame, times: FrameTimes): void {
    this.#shown.put({ frame, times });
    this.#mirror?.show(frame);
    if (!this.#painter.paint(frame)) return;
    this.#paintedMs = this.#deps.now();
    const { sink } = this.#deps;
    sink.shown(times);
    if (!this.#isPainted) sink.firstPicture();
    this.#isPainted = true;
    if (frame.displayWidth === this.#size.width && frame.displayHeight === this.#size.height) return;
    this.#size = { width: frame.displayWidth, height: frame.displayHeight };
    sink.pictureSize(this.#size);
  }
}
