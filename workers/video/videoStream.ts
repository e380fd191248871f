// One stream from access units to painted pictures. Owns its port, its decoder, its canvas and the frames in between.
import type { QuietEvent } from '../../shared/protocol/stream/streamMessages.ts';
import { mayReorder } from './decode/decoderSetup.ts';
import { type FrameTimes, StreamDecoder, type StreamDecoderDeps } from './decode/streamDecoder.ts';
import { LiveScreen } from './live/liveScreen.ts';
import type { PictureView, PixelSize, ToVideoStream, VideoFault, VideoUnit } from './messages.ts';
import { CanvasPainter } from './paint/canvasPainter.ts';
import { FrameSlot, type HeldFrame } from './paint/frameSlot.ts';
import type { PictureMirror } from './paint/pictureMirror.ts';
import { WHOLE } from './paint/pictureView.ts';
import type { PlaybackClock } from './session/playbackClock.ts';
import { SessionScreen } from './session/sessionScreen.ts';

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
  /** For a session: all that came before has been shown. */
  quiet(event: QuietEvent): void;
  /** For a session that stopped at a moment before that of the picture shown, which is `positionMs`. */
  ahead(positionMs: number): void;
  fault(fault: VideoFault): void;
}

export interface VideoStreamDeps
  extends Pick<StreamDecoderDeps, 'createDecoder' | 'createChunk' | 'isSupported' | 'now'> {
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Epoch milliseconds less `now`. */
  readonly timeOrigin: number;
  readonly port: Pick<MessagePort, 'onmessage' | 'close'>;
  readonly sink: VideoStreamSink;
  /** Whether several pictures may come at once of which only the newest is of use. */
  readonly hasBursts: boolean;
  /** The page's clock, for a stream that belongs to a playback session. */
  readonly sessionClock?: PlaybackClock | undefined;
}

export class VideoStream {
  readonly #deps: VideoStreamDeps;
  readonly #decoder: StreamDecoder;
  readonly #live: LiveScreen;
  /** The newest picture shown: to be drawn again when the view changes, and for whoever wants it whole. */
  readonly #shown = new FrameSlot();
  #view: PictureView = WHOLE;
  #mirror: PictureMirror | undefined;
  /** Set from the first message of the session's clock on; pictures of a server that sends none are shown as they are sent. */
  #session: SessionScreen | undefined;
  #painter: CanvasPainter;
  #isPainted = false;
  #size: PixelSize = { width: 0, height: 0 };

  constructor(canvas: OffscreenCanvas, box: PixelSize, deps: VideoStreamDeps) {
    this.#deps = deps;
    this.#painter = new CanvasPainter(canvas, box, { onFault: deps.sink.fault, now: deps.now });
    this.#decoder = new StreamDecoder({
      ...deps,
      onFrame: (frame, times) => {
        deps.sink.decoded();
        (this.#session ?? this.#live).decoded(frame, times);
      },
      hasClock: () => this.#session !== undefined,
      onSkipped: () => this.#session?.flush(),
      onFault: deps.sink.fault,
    });
    this.#live = new LiveScreen({
      ...deps,
      mayReorder: ({ codec }, bytes) => mayReorder(codec, bytes),
      decode: (unit, bytes) => this.#push(unit, bytes),
      show: (frame, times) => this.#show(frame, times),
      onLeftOut: deps.sink.leftOut,
    });
    deps.port.onmessage = ({ data }: MessageEvent<ToVideoStream>) => this.#handle(data);
  }

  /** How long pictures are held back for a network that delivers unevenly. */
  get delayMs(): number {
    return this.#live.delayMs;
  }

  /** The live screen's, in epoch milliseconds: for sound to keep step with pictures that are reordered. */
  get showingOffsetMs(): number | undefined {
    const offsetMs = this.#session === undefined ? this.#live.showingOffsetMs : undefined;
    return offsetMs === undefined ? undefined : this.#deps.timeOrigin + offsetMs;
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
    this.#live.close();
    this.#session?.close();
    this.#decoder.close();
    this.#shown.close();
    this.setMirror(undefined);
  }

  #handle(message: ToVideoStream): void {
    switch (message.type) {
      case 'start':
        this.#live.restart();
        this.#decoder.restart();
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
    this.#live.restart();
    this.#session = new SessionScreen({
      ...this.#deps,
      clock: sessionClock,
      decode: (unit, bytes) => this.#push(unit, bytes),
      drain: (onEnd) => this.#decoder.drain(onEnd),
      abandon: () => this.#decoder.abandon(),
      backlog: () => this.#decoder.backlog,
      silentMs: () => this.#decoder.silentMs,
      show: (frame, times) => void this.#show(frame, times),
      onQuiet: sink.quiet,
      onAhead: sink.ahead,
    });
    return this.#session;
  }

  #take(unit: VideoUnit, bytes: Uint8Array, receivedAt: number): void {
    this.#live.push(unit, bytes, Math.min(receivedAt - this.#deps.timeOrigin, this.#deps.now()));
  }

  #push(unit: VideoUnit, bytes: Uint8Array): boolean {
    const isTaken = this.#decoder.push(unit, bytes);
    this.#deps.sink.unit(unit, isTaken);
    return isTaken;
  }

  /** Takes the frame over. False when it could not be painted. */
  #show(frame: VideoFrame, times: FrameTimes): boolean {
    this.#shown.put({ frame, times });
    this.#mirror?.show(frame);
    if (!this.#painter.paint(frame)) return false;
    const { sink } = this.#deps;
    sink.shown(times);
    if (!this.#isPainted) sink.firstPicture();
    this.#isPainted = true;
    this.#noteSize({ width: frame.displayWidth, height: frame.displayHeight });
    return true;
  }

  #noteSize(size: PixelSize): void {
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#deps.sink.pictureSize(size);
  }
}
