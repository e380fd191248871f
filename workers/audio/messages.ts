// What the page, the stream worker, the audio worker and the worklet say to one another.
import type { ClockEvent } from '../../shared/protocol/stream/streamMessages.ts';
import type { MediaUs } from '../../shared/protocol/time.ts';
import type { StreamId } from '../stream/messages.ts';

/** Page to audio worker. */
export type ToAudioWorker =
  /** A stream's sound. `port` leads from the stream worker, `output` to the stream's worklet; both are transferred. */
  | {
      readonly type: 'attach';
      readonly streamId: StreamId;
      readonly port: MessagePort;
      readonly output: MessagePort;
      /** The gateway's clock paces it: see SessionSound. Else it is played as it comes. */
      readonly isSession: boolean;
    }
  /** Whether the stream is audible: sound that is not is not decoded. A stream begins inaudible. */
  | { readonly type: 'audible'; readonly streamId: StreamId; readonly on: boolean }
  /** When the stream's pictures are shown, for sound to keep step with them. */
  | { readonly type: 'delay'; readonly streamId: StreamId; readonly pictures: PictureDelay }
  /** The viewer pauses (true): sessions fall silent at once. False: the viewer goes on. */
  | { readonly type: 'hold'; readonly streamId: StreamId; readonly on: boolean }
  | { readonly type: 'detach'; readonly streamId: StreamId };

/** How late a stream's pictures are shown, as the video worker reports it. */
export interface PictureDelay {
  /** How long they are held back for the network. */
  readonly delayMs: number;
  /** Where pictures are reordered: when a moment of the stream is shown, in epoch milliseconds, less its media time. */
  readonly showingOffsetMs?: number | undefined;
}

/** Audio worker to page. */
export type FromAudioWorker =
  /** Sent first: nothing is transferred to a worker that has not shown that it runs. */
  | { readonly type: 'ready' }
  /** This browser cannot decode the stream's sound; `codec` names it. Its pictures go on. */
  | { readonly type: 'unsupported'; readonly streamId: StreamId; readonly codec: string };

/** Stream worker to audio worker, on the stream's own port. */
export type ToAudioStream =
  /** A connection begins: nothing of the one before belongs to what comes next. */
  | { readonly type: 'start' }
  | { readonly type: 'format'; readonly codec: number; readonly sampleRate: number; readonly channels: number }
  /** Where the stream's session stands. */
  | ClockEvent
  /** The buffers are transferred. */
  | { readonly type: 'frames'; readonly frames: readonly AudioFrame[] };

export interface AudioFrame {
  readonly codec: number;
  readonly mediaTimeUs: MediaUs;
  readonly discontinuity: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Audio worker to the stream's worklet. */
export type ToPlayout =
  | {
      readonly type: 'chunk';
      /** One channel, -1 to 1. */
      readonly samples: Float32Array<ArrayBuffer>;
      readonly sampleRate: number;
      /** How many chunks of this kind may be held. */
      readonly limit: number;
    }
  | { readonly type: 'delay'; readonly delayMs: number }
  | { readonly type: 'clear' };

/** Page to the worklet that listens to the microphone. */
export type ToCapture =
  /** Where speech goes, and at which rate. The port is transferred. */
  | { readonly type: 'open'; readonly port: MessagePort; readonly sampleRate: number }
  /** Only while it is on is anything sent. */
  | { readonly type: 'speaking'; readonly on: boolean };

/** The worklet to the page. */
export interface FromCapture {
  /** How loud it is, 0 to 1. */
  readonly level: number;
}
