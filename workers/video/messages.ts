// The messages between the page, the stream worker and the video worker.
import type { ClockEvent, QuietEvent } from '../../shared/protocol/stream/streamMessages.ts';
import type { Dependence } from '../../shared/protocol/stream/streamPacket.ts';
import type { MediaUs, WallMs } from '../../shared/protocol/time.ts';
import type { StreamId } from '../stream/messages.ts';

/** Pixels of the screen, not of the style sheet. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The part of a picture that is seen: its center as shares of the picture's sides, and how many times enlarged. */
export interface PictureView {
  readonly scale: number;
  readonly centerX: number;
  readonly centerY: number;
}

export type SnapshotFormat = 'png' | 'jpeg';

export interface Snapshot {
  readonly image: Blob;
  readonly size: PixelSize;
  /** 0 when the device did not say. */
  readonly deviceTimeMs: WallMs;
}

/**
 * The choice of when pictures are shown. `present`: they come as they happen, and of a burst only the newest is of use. `steady`:
 * the gateway lets each out at its time. `clock`: the gateway tells the time of a session, see SessionScreen.
 */
export type StreamPacing = 'present' | 'steady' | 'clock';

/** Page to video worker. */
export type ToVideoWorker =
  /** A new stream. Canvas and port are transferred; `box` is what the canvas covers on the screen. */
  | {
      readonly type: 'attach';
      readonly streamId: StreamId;
      readonly canvas: OffscreenCanvas;
      readonly box: PixelSize;
      readonly port: MessagePort;
      readonly pacing: StreamPacing;
    }
  /** Another canvas for a stream, in place of one that failed. The decoder goes on. */
  | { readonly type: 'canvas'; readonly streamId: StreamId; readonly canvas: OffscreenCanvas; readonly box: PixelSize }
  | { readonly type: 'resize'; readonly streamId: StreamId; readonly box: PixelSize }
  /** Which part of the picture is drawn, from now on. */
  | { readonly type: 'view'; readonly streamId: StreamId; readonly view: PictureView }
  /** Asks for the newest picture as an image file; answered with the same `requestId`. */
  | {
      readonly type: 'snapshot';
      readonly streamId: StreamId;
      readonly requestId: number;
      readonly format: SnapshotFormat;
    }
  /** Every picture shown is also sent there, whole; undefined ends that. It is transferred. */
  | { readonly type: 'mirror'; readonly streamId: StreamId; readonly writable: WritableStream<VideoFrame> | undefined }
  | { readonly type: 'detach'; readonly streamId: StreamId }
  /** The viewer pauses (true): sessions stand still at once. False: the viewer goes on. */
  | { readonly type: 'hold'; readonly on: boolean }
  /** From here on every picture shown is reported: for tests and measurements. */
  | { readonly type: 'trace' };

/** Video worker to page. */
export type FromVideoWorker =
  /** Sent first: nothing is transferred to a worker that has not shown that it runs. */
  | { readonly type: 'ready'; readonly webCodecs: boolean }
  /** The first picture stands on the stream's present canvas. */
  | { readonly type: 'first-picture'; readonly streamId: StreamId }
  | { readonly type: 'picture-size'; readonly streamId: StreamId; readonly size: PixelSize }
  | { readonly type: 'progress'; readonly streams: readonly VideoProgress[] }
  /** Everything before it has been shown. For sessions only. */
  | { readonly type: 'quiet'; readonly streamId: StreamId; readonly event: QuietEvent }
  /** A session stopped at a moment before that of the picture shown, which is this one: milliseconds since the epoch. */
  | { readonly type: 'ahead'; readonly streamId: StreamId; readonly positionMs: number }
  | { readonly type: 'trace'; readonly pictures: readonly ShownPicture[] }
  /** Without a picture when there is none, or none that could be written. */
  | { readonly type: 'snapshot'; readonly requestId: number; readonly snapshot: Snapshot | undefined }
  /** A fault of one stream. An exception in the worker reaches the page as the worker's error event. */
  | { readonly type: 'fault'; readonly streamId: StreamId; readonly fault: VideoFault };

/**
 * `decode`: the decoder gave up and a new one takes over at the next key frame. `reclaimed`: the browser took the decoder
 * away, likewise. `codec`: this browser cannot decode the stream. `canvas`: nothing more can be painted on it.
 */
export type VideoFaultKind = 'decode' | 'reclaimed' | 'codec' | 'canvas';

export interface VideoFault {
  readonly kind: VideoFaultKind;
  readonly message: string;
}

/** Counts since the stream was attached; sent at most every 200 ms and only when a picture was shown. */
export interface VideoProgress {
  readonly streamId: StreamId;
  readonly decoded: number;
  /** How long pictures are held back now, for a network that delivers unevenly. */
  readonly delayMs: number;
  /** Where pictures are reordered: when a moment of the stream is shown, in epoch milliseconds, less its media time. */
  readonly showingOffsetMs?: number | undefined;
  /** How long a unit lately took from its turn to its picture. */
  readonly decodeMs: number;
  readonly shown: number;
  /** Access units that no picture was made of: damaged, or of a group whose beginning is missing. */
  readonly skipped: number;
  /** Places where something was missing before a unit. */
  readonly gaps: number;
  /** Codec of the newest unit, as in its packet. */
  readonly codec: number;
  /** The device's clock in the newest picture shown; 0 when it is not known. */
  readonly deviceTimeMs: WallMs;
  /** How long ago the newest picture was shown, at the moment of sending: each worker has a clock of its own. */
  readonly newestAgeMs: number;
}

export interface ShownPicture {
  readonly streamId: StreamId;
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
  /** When drawing it had returned, milliseconds since the epoch with fractions, by this browser's clock. */
  readonly at: number;
  /** The worker's next animation frame, when the picture goes to the compositor; absent when none came. */
  readonly committedAt?: number | undefined;
  /** It was decoded and left out: the machine was behind, and a newer one stood ready. */
  readonly isSkipped?: true | undefined;
}

/** Stream worker to video worker, on the stream's own port. */
export type ToVideoStream =
  /** A connection begins: what comes next is a key frame and all that the gateway still had since then. */
  | { readonly type: 'start' }
  /** Where the stream's session stands. */
  | ClockEvent
  | QuietEvent
  /**
   * Access units of one message, and when it came, epoch milliseconds: a video worker that is behind must not take its own
   * lateness for the network's. The buffer is transferred.
   */
  | {
      readonly type: 'units';
      readonly receivedAt: number;
      readonly buffer: ArrayBuffer;
      readonly units: readonly VideoUnit[];
    };

/** Where an access unit lies in its buffer, and what its packet said of it. */
export interface VideoUnit {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly codec: number;
  readonly key: boolean;
  /** Media times before it cannot be compared with its own. On a key frame something may be missing too, on another picture nothing is. */
  readonly discontinuity: boolean;
  /** Only what follows needs it. */
  readonly unseen: boolean;
  readonly dependence?: Dependence | undefined;
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
}
