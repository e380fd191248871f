// The player of a page: its workers, and the streams that run through them. Made once by each page, outside React.
import type {
  ConnectionName,
  ConnectionNumber,
  FromStreamWorker,
  StreamActivity,
  StreamFaultKind,
  StreamId,
  ToStreamWorker,
} from '../../../workers/stream/messages.ts';
import type {
  FromVideoWorker,
  PictureView,
  PixelSize,
  ShownPicture,
  Snapshot,
  SnapshotFormat,
  StreamPacing,
  ToVideoWorker,
  VideoFault,
  VideoProgress,
} from '../../../workers/video/messages.ts';
import type { ControlEvent, PtzMessage } from '../../protocol/stream/controlMessages.ts';
import type { QuietEvent, StreamEvent, ViewerMessage } from '../../protocol/stream/streamMessages.ts';
import type { PageSound, SoundEvents } from './sound/pageSound.ts';
import { type PlayerWorkers, startWorkers } from './startWorkers.ts';
import { WorkerLink } from './workerLink.ts';

/** What the workers report of one stream. Ages are milliseconds back from now. */
export type StreamReport =
  | { readonly type: 'opened' }
  | { readonly type: 'closed'; readonly code: number }
  | { readonly type: 'event'; readonly event: StreamEvent }
  /** Only from a line to a camera or a loudspeaker. */
  | { readonly type: 'control'; readonly event: ControlEvent }
  | { readonly type: 'data'; readonly ageMs: number }
  | { readonly type: 'shown'; readonly ageMs: number }
  /** The first picture stands on the canvas given last. */
  | { readonly type: 'first-picture' }
  | { readonly type: 'picture-size'; readonly size: PixelSize }
  /** Only from a session: nothing comes for now, and all that came before has been shown. */
  | { readonly type: 'quiet'; readonly event: QuietEvent }
  /** Only from a session: it stopped at a moment before that of the picture shown, which is `positionMs`. */
  | { readonly type: 'ahead'; readonly positionMs: number }
  /** The stream has sound; a browser that wants a gesture first blocks it. */
  | { readonly type: 'sound'; readonly isBlocked: boolean }
  | { readonly type: 'stream-fault'; readonly kind: StreamFaultKind }
  | { readonly type: 'video-fault'; readonly fault: VideoFault }
  /** A worker is gone, and with it every stream of the page. */
  | { readonly type: 'broken'; readonly message: string };

/** A picture that was shown, with its channel. */
export interface TracedPicture extends ShownPicture {
  readonly channel: number;
}

export type ReportSink = (report: StreamReport) => void;

export interface StreamRequest {
  readonly url: string;
  /** The device's channel number, for the trace. */
  readonly channel: number;
  /** Transferred. */
  readonly canvas: OffscreenCanvas;
  /** What the canvas covers on the screen. */
  readonly box: PixelSize;
  readonly onReport: ReportSink;
  /** `present` when left out. */
  readonly pacing?: StreamPacing;
}

/** The latest reports of the workers on a stream; undefined before the first ones. */
export interface StreamCounts {
  readonly network: StreamActivity | undefined;
  readonly video: VideoProgress | undefined;
  /** When `video` was reported, in milliseconds since the epoch. */
  readonly videoAtMs: number;
}

/** One open stream. Whoever opened it closes it. */
export interface PlayerStream {
  /** Reopens the stream, at another address when one is given. */
  reconnect(url?: string): void;
  /** Whether the stream's sound, if it has any, is heard. A stream begins unheard. */
  setAudible(isAudible: boolean): void;
  send(message: ViewerMessage): void;
  resize(box: PixelSize): void;
  /** Puts another canvas in place of one that failed; it is transferred. */
  replaceCanvas(canvas: OffscreenCanvas, box: PixelSize): void;
  /** Draws that part of the picture from now on. */
  setView(view: PictureView): void;
  /** The newest picture in its full size; undefined when there is none. */
  snapshot(format: SnapshotFormat): Promise<Snapshot | undefined>;
  /** Also sends every picture to this stream, which is transferred. Undefined ends that. */
  mirror(writable: WritableStream<VideoFrame> | undefined): void;
  counts(): StreamCounts;
  /** No report comes after this. Safe to call twice. */
  close(): void;
}

/** A line without pictures: to a camera that is moved, or to a loudspeaker. Whoever opened it closes it. */
export interface ControlLine {
  send(message: PtzMessage): void;
  /** The port that speech in the line's own format comes from; it is transferred. */
  setSpeech(port: MessagePort): void;
  /** No report comes after this. Safe to call twice. */
  close(): void;
}

type SnapshotTaker = (snapshot: Snapshot | undefined) => void;

interface OpenStream extends Pick<StreamRequest, 'channel' | 'onReport' | 'pacing'> {
  connection: ConnectionNumber;
  network: StreamActivity | undefined;
  video: VideoProgress | undefined;
  videoAtMs: number;
}

const UNTOLD = { connection: 1, network: undefined, video: undefined, videoAtMs: 0 } as const;

export type SoundLoader = (events: SoundEvents) => Promise<PageSound>;

/** Sound is loaded when the first stream has some: no picture waits for it. */
const loadPageSound: SoundLoader = async (events) => {
  const { PageSound } = await import('./sound/pageSound.ts');
  return new PageSound(events);
};

export class PlayerEngine {
  readonly #stream: WorkerLink<ToStreamWorker, FromStreamWorker>;
  readonly #video: WorkerLink<ToVideoWorker, FromVideoWorker>;
  readonly #streams = new Map<StreamId, OpenStream>();
  readonly #snapshots = new Map<number, { readonly streamId: StreamId; readonly resolve: SnapshotTaker }>();
  #lastRequest = 0;
  readonly #loadSound: SoundLoader;
  readonly #audible = new Set<StreamId>();
  #sound: Promise<PageSound | undefined> | undefined;
  #lastId: StreamId = 0;
  #onTrace: ((pictures: readonly TracedPicture[]) => void) | undefined;
  #broken: string | undefined;

  constructor(workers: PlayerWorkers = startWorkers(), loadSound: SoundLoader = loadPageSound) {
    this.#loadSound = loadSound;
    const onBroken = (message: string) => this.#break(message);
    this.#stream = new WorkerLink(workers.stream, { onMessage: (message) => this.#fromStream(message), onBroken });
    this.#video = new WorkerLink(workers.video, { onMessage: (message) => this.#fromVideo(message), onBroken });
  }

  openStream({ url, channel, canvas, box, onReport, pacing = 'present' }: StreamRequest): PlayerStream {
    const streamId = ++this.#lastId;
    const open: OpenStream = { ...UNTOLD, channel, onReport, pacing };
    this.#streams.set(streamId, open);
    const { port1, port2 } = new MessageChannel();
    this.#video.post({ type: 'attach', streamId, canvas, box, port: port1, pacing }, [canvas, port1]);
    this.#stream.post({ type: 'open', streamId, connection: open.connection, url, videoPort: port2 }, [port2]);
    // Deferred, like every other report, because the caller does not have the stream yet.
    if (this.#broken !== undefined) queueMicrotask(() => this.#break(this.#broken ?? ''));
    return {
      reconnect: (nextUrl) => {
        open.connection++;
        this.#stream.post({ type: 'reconnect', streamId, connection: open.connection, url: nextUrl });
      },
      setAudible: (isAudible) => this.#setAudible(streamId, isAudible),
      send: (message) => this.#stream.post({ type: 'send', streamId, message }),
      resize: (size) => this.#video.post({ type: 'resize', streamId, box: size }),
      replaceCanvas: (next, size) => {
        this.#video.post({ type: 'canvas', streamId, canvas: next, box: size }, [next]);
      },
      setView: (view) => this.#video.post({ type: 'view', streamId, view }),
      snapshot: (format) => this.#askSnapshot(streamId, format),
      mirror: (writable) => {
        this.#video.post({ type: 'mirror', streamId, writable }, writable === undefined ? [] : [writable]);
      },
      counts: () => ({ network: open.network, video: open.video, videoAtMs: open.videoAtMs }),
      close: () => {
        if (!this.#closeLine(streamId)) return;
        this.#video.post({ type: 'detach', streamId });
        this.#dropSnapshots(streamId);
      },
    };
  }

  /** Opens a line without pictures. Its sound is audible. */
  openControl(url: string, onReport: ReportSink): ControlLine {
    const streamId = ++this.#lastId;
    const open: OpenStream = { ...UNTOLD, channel: 0, onReport };
    this.#streams.set(streamId, open);
    this.#setAudible(streamId, true);
    this.#stream.post({ type: 'open', streamId, connection: open.connection, url, videoPort: undefined });
    return {
      send: (message) => this.#stream.post({ type: 'send', streamId, message }),
      setSpeech: (port) => this.#stream.post({ type: 'speech-port', streamId, port }, [port]),
      close: () => this.#closeLine(streamId),
    };
  }

  /** Stops playback at once, before the gateway has heard of the pause; false lets it continue. */
  hold(isOn: boolean): void {
    this.#video.post({ type: 'hold', on: isOn });
    void this.#sound?.then((sound) => sound?.hold(isOn));
  }

  /** Reports every picture shown from here on, a few at a time. */
  trace(onPictures: (pictures: readonly TracedPicture[]) => void): void {
    this.#onTrace = onPictures;
    this.#video.post({ type: 'trace' });
  }

  /** For sound that the browser blocks: call it in answer to a gesture. */
  unlockSound(): void {
    void this.#sound?.then((sound) => sound?.unlock());
  }

  /** Ends all streams and the workers. Safe to call twice. */
  close(): void {
    this.#dropSnapshots();
    this.#streams.clear();
    this.#stream.close();
    this.#video.close();
    void this.#sound?.then((sound) => sound?.close());
    this.#sound = undefined;
  }

  #setAudible(streamId: StreamId, isAudible: boolean): void {
    if (isAudible) this.#audible.add(streamId);
    else this.#audible.delete(streamId);
    void this.#sound?.then((sound) => sound?.setAudible(streamId, isAudible));
  }

  /** Returns whether the stream was open. */
  #closeLine(streamId: StreamId): boolean {
    if (!this.#streams.delete(streamId)) return false;
    this.#stream.post({ type: 'close', streamId });
    this.#audible.delete(streamId);
    void this.#sound?.then((sound) => sound?.detach(streamId));
    return true;
  }

  #askSnapshot(streamId: StreamId, format: SnapshotFormat): Promise<Snapshot | undefined> {
    if (!this.#streams.has(streamId) || this.#broken !== undefined) return Promise.resolve(undefined);
    const requestId = ++this.#lastRequest;
    return new Promise((resolve) => {
      this.#snapshots.set(requestId, { streamId, resolve });
      this.#video.post({ type: 'snapshot', streamId, requestId, format });
    });
  }

  /** Answers the snapshot requests that nothing else will answer: those of one stream, or all. */
  #dropSnapshots(streamId?: StreamId): void {
    for (const [requestId, request] of this.#snapshots) {
      if (streamId !== undefined && request.streamId !== streamId) continue;
      this.#snapshots.delete(requestId);
      request.resolve(undefined);
    }
  }

  #fromStream(message: FromStreamWorker): void {
    switch (message.type) {
      case 'ready':
        return;
      case 'opened':
        this.#reportOf(message, { type: 'opened' });
        return;
      case 'closed':
        this.#reportOf(message, { type: 'closed', code: message.code });
        return;
      case 'event':
        this.#reportOf(message, { type: 'event', event: message.event });
        return;
      case 'control':
        this.#reportOf(message, { type: 'control', event: message.event });
        return;
      case 'audio':
        void this.#startSound(message.streamId);
        return;
      case 'activity':
        for (const activity of message.streams) {
          const stream = this.#streams.get(activity.streamId);
          if (stream !== undefined) stream.network = activity;
          this.#report(activity.streamId, { type: 'data', ageMs: activity.newestAgeMs });
        }
        return;
      case 'fault':
        this.#reportOf(message, { type: 'stream-fault', kind: message.kind });
        return;
    }
  }

  async #startSound(streamId: StreamId): Promise<void> {
    this.#sound ??= this.#loadSound({
      blocked: (id, isBlocked) => this.#report(id, { type: 'sound', isBlocked }),
      unsupported: (_id, codec) => console.warn(`this browser cannot decode sound in ${codec}`),
    }).catch((error: unknown) => {
      console.warn('there will be no sound', error);
      return undefined;
    });
    const sound = await this.#sound;
    if (sound === undefined || !this.#streams.has(streamId)) return;
    const port = sound.attach(streamId, this.#streams.get(streamId)?.pacing === 'clock');
    sound.setAudible(streamId, this.#audible.has(streamId));
    this.#stream.post({ type: 'audio-port', streamId, port }, [port]);
  }

  #fromVideo(message: FromVideoWorker): void {
    switch (message.type) {
      case 'ready':
        if (!message.webCodecs) this.#break('no WebCodecs');
        return;
      case 'first-picture':
        this.#report(message.streamId, { type: 'first-picture' });
        return;
      case 'picture-size':
        this.#report(message.streamId, { type: 'picture-size', size: message.size });
        return;
      case 'quiet':
        this.#report(message.streamId, { type: 'quiet', event: message.event });
        return;
      case 'ahead':
        this.#report(message.streamId, { type: 'ahead', positionMs: message.positionMs });
        return;
      case 'progress':
        for (const progress of message.streams) {
          const { streamId, newestAgeMs } = progress;
          const stream = this.#streams.get(streamId);
          if (stream !== undefined) {
            stream.video = progress;
            stream.videoAtMs = Date.now();
          }
          this.#report(streamId, { type: 'shown', ageMs: newestAgeMs });
          if (this.#audible.has(streamId)) void this.#sound?.then((sound) => sound?.setDelay(streamId, progress));
        }
        return;
      case 'snapshot':
        this.#snapshots.get(message.requestId)?.resolve(message.snapshot);
        this.#snapshots.delete(message.requestId);
        return;
      case 'trace':
        this.#onTrace?.(message.pictures.flatMap((picture) => this.#withChannel(picture)));
        return;
      case 'fault':
        this.#report(message.streamId, { type: 'video-fault', fault: message.fault });
        return;
    }
  }

  /** Empty for a stream that was closed meanwhile. */
  #withChannel(picture: ShownPicture): TracedPicture[] {
    const stream = this.#streams.get(picture.streamId);
    return stream === undefined ? [] : [{ ...picture, channel: stream.channel }];
  }

  /** A report on an earlier connection says nothing about the current one. */
  #reportOf({ streamId, connection }: ConnectionName, report: StreamReport): void {
    if (this.#streams.get(streamId)?.connection === connection) this.#report(streamId, report);
  }

  #report(streamId: StreamId, report: StreamReport): void {
    this.#streams.get(streamId)?.onReport(report);
  }

  #break(message: string): void {
    if (this.#broken === undefined) console.warn(`a worker of the player failed: ${message}`);
    this.#broken = message;
    this.#dropSnapshots();
    for (const { onReport } of [...this.#streams.values()]) onReport({ type: 'broken', message });
  }
}
