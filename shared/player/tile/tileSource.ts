// One stream of a tile with the canvas that it is shown on. Owns both.
import type { PixelSize } from '../../../workers/video/messages.ts';
import type { PlayerEngine, PlayerStream, ReportSink, StreamReport } from '../engine/engine.ts';
import { addCanvas, measureBox, type TileCanvas } from './tileCanvas.ts';

/** The playback session that streams of a page belong to. */
export interface StreamSession {
  /** Whether the server's clock determines when each picture is shown. Otherwise pictures are shown as they come. */
  readonly isPaced: boolean;
  /** Whether the session itself handles a stream that was refused or ended with this code, so that the viewer isn't told. */
  recovers(code: string): boolean;
  join(stream: Pick<PlayerStream, 'send'>): SessionSlot;
}

/** The close code of a connection that ended without one (RFC 6455, 7.1.5). */
const GIVEN_UP = 1006;

/** One stream's place in a session. Its owner has to leave. */
export interface SessionSlot {
  /** Has to be called with every report of the stream. */
  note(report: StreamReport): void;
  leave(): void;
}

export interface SourceRequest {
  readonly host: HTMLElement;
  readonly url: string;
  readonly channel: number;
  readonly box: PixelSize;
  /** The playback session that the stream belongs to. */
  readonly session?: StreamSession | undefined;
  readonly onReport: ReportSink;
}

export class TileSource {
  readonly stream: PlayerStream;
  readonly #host: HTMLElement;
  readonly #slot: SessionSlot | undefined;
  #url: string;
  #canvas: TileCanvas;
  /** A canvas that failed stays in sight until its successor has a picture. */
  #failedCanvas: TileCanvas | undefined;
  #picture: PixelSize | undefined;
  #isOpen = false;
  #isVideoOn = true;

  constructor(engine: PlayerEngine, { host, url, channel, box, session, onReport }: SourceRequest) {
    this.#host = host;
    this.#url = url;
    this.#canvas = addCanvas(host);
    const pacing = session === undefined ? 'present' : session.isPaced ? 'clock' : 'steady';
    this.stream = engine.openStream({ url, channel, canvas: this.#canvas.offscreen, box, pacing, onReport });
    this.#slot = session?.join(this.stream);
  }

  get url(): string {
    return this.#url;
  }

  /** The size of the newest picture. */
  get picture(): PixelSize | undefined {
    return this.#picture;
  }

  /** Must be called with every report of the stream. Returns `lost` when the stream was open and no longer is. */
  note(report: StreamReport): 'lost' | undefined {
    this.#slot?.note(report);
    switch (report.type) {
      case 'opened':
        this.#isOpen = true;
        this.#isVideoOn = true;
        return undefined;
      case 'closed': {
        const wasOpen = this.#isOpen;
        this.#isOpen = false;
        return wasOpen ? 'lost' : undefined;
      }
      case 'picture-size':
        this.#picture = report.size;
        return undefined;
      case 'first-picture':
        this.#dropFailedCanvas();
        return undefined;
      case 'video-fault':
        // A failed decoder or canvas gives the tile a new canvas; the stream continues.
        if (report.fault.kind === 'decode' || report.fault.kind === 'canvas') this.#renewCanvas();
        return undefined;
      default:
        return undefined;
    }
  }

  /** Requests video, or sound alone. A stream starts with video, so one opened out of view needs this call. */
  setVideo(isOn: boolean): void {
    if (!this.#isOpen || isOn === this.#isVideoOn) return;
    this.#isVideoOn = isOn;
    this.stream.send({ type: 'video', on: isOn });
  }

  reconnect(url: string): void {
    this.#url = url;
    this.#isOpen = false;
    // A stream that only fell silent reports no end, so it is reported here: the session has to hold its position from now
    // on.
    this.#slot?.note({ type: 'closed', code: GIVEN_UP });
    this.stream.reconnect(url);
  }

  /** Safe to call twice. */
  close(): void {
    this.#slot?.leave();
    this.stream.close();
    this.#failedCanvas?.remove();
    this.#canvas.remove();
  }

  #renewCanvas(): void {
    this.#dropFailedCanvas();
    this.#failedCanvas = this.#canvas;
    this.#canvas = addCanvas(this.#host);
    this.stream.replaceCanvas(this.#canvas.offscreen, measureBox(this.#host));
  }

  #dropFailedCanvas(): void {
    this.#failedCanvas?.remove();
    this.#failedCanvas = undefined;
  }
}
