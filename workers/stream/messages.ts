// The messages between the page and the stream worker.
import type { ControlEvent, PtzMessage } from '../../shared/protocol/stream/controlMessages.ts';
import type { StreamEvent, ViewerMessage } from '../../shared/protocol/stream/streamMessages.ts';

/** Names one stream of a page: its socket here, its decoder in the video worker. Never used twice. */
export type StreamId = number;

/**
 * Counts the connections of a stream, from 1. The page leaves a connection while reports on it are still on their way: a report
 * applies only to the connection that it names.
 */
export type ConnectionNumber = number;

/** Names one connection of one stream. */
export interface ConnectionName {
  readonly streamId: StreamId;
  readonly connection: ConnectionNumber;
}

/** Page to stream worker. */
export type ToStreamWorker =
  /** Opens a stream. `videoPort` is transferred; its other end goes to the video worker. A control line has none. */
  | ({ readonly type: 'open'; readonly url: string; readonly videoPort: MessagePort | undefined } & ConnectionName)
  /** Closes the stream's socket, if it still has one, and opens a new one; at another address when one is given. */
  | ({ readonly type: 'reconnect'; readonly url?: string | undefined } & ConnectionName)
  /** Where the stream's sound goes from now on. The port is transferred; its other end goes to the audio worker. */
  | { readonly type: 'audio-port'; readonly streamId: StreamId; readonly port: MessagePort }
  /** Where speech comes from, as binary messages that are sent as they are. Transferred; it comes from a worklet. */
  | { readonly type: 'speech-port'; readonly streamId: StreamId; readonly port: MessagePort }
  | { readonly type: 'send'; readonly streamId: StreamId; readonly message: ViewerMessage | PtzMessage }
  | { readonly type: 'close'; readonly streamId: StreamId };

/** Stream worker to page. */
export type FromStreamWorker =
  /** Sent first: nothing is transferred to a worker that has not shown that it runs. */
  | { readonly type: 'ready' }
  | ({ readonly type: 'opened' } & ConnectionName)
  | ({ readonly type: 'event'; readonly event: StreamEvent } & ConnectionName)
  /** Only from a line to a camera or a loudspeaker. */
  | ({ readonly type: 'control'; readonly event: ControlEvent } & ConnectionName)
  /** Sound has come for which there is no port; sent once for each stream. */
  | { readonly type: 'audio'; readonly streamId: StreamId }
  | { readonly type: 'activity'; readonly streams: readonly StreamActivity[] }
  | ({ readonly type: 'closed'; readonly code: number } & ConnectionName)
  | ({ readonly type: 'fault'; readonly kind: StreamFaultKind } & ConnectionName);

/**
 * `damaged`: a message, or the end of one, could not be read and was dropped. `version`: the stream is of a version that
 * this page does not know; it has been closed. An exception in the worker reaches the page as the worker's error event.
 */
export type StreamFaultKind = 'damaged' | 'version';

/** What came in since the stream was opened; sent at most every 200 ms and only when something came. */
export interface StreamActivity {
  readonly streamId: StreamId;
  readonly packets: number;
  readonly bytes: number;
  /** How long ago the newest packet came, at the moment of sending: each worker has a clock of its own. */
  readonly newestAgeMs: number;
}
