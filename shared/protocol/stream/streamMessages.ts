// What the stream's two ends say to one another beside frames: events from the gateway (payload of kind 3),
// JSON text messages from the viewer. Both are read from outside, so both are parsed by total functions.

/** Where a playback session stands. */
export interface ClockEvent {
  readonly type: 'clock';
  readonly positionMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

/** Nothing comes for now, and why. */
export type QuietEvent =
  | { readonly type: 'gap'; readonly untilMs: number | null }
  /** Nothing comes after this. */
  | { readonly type: 'ended' };

/** The stream goes on, but isn't what was asked for. */
export interface NoticeEvent {
  readonly type: 'notice';
  readonly code: string;
  readonly message: string;
}

export type StreamEvent =
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | NoticeEvent
  | QuietEvent
  | ClockEvent
  | { readonly type: 'format'; readonly codec: number; readonly sampleRate: number; readonly channels: number };

export type ViewerMessage =
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'seek'; readonly positionMs: number }
  | { readonly type: 'speed'; readonly speed: number }
  | { readonly type: 'step'; readonly frames: number }
  | { readonly type: 'video'; readonly on: boolean };

type Fields = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** The event in a packet's payload; undefined for one that is damaged or of a type that this version does not know. */
export function parseStreamEvent(payload: Uint8Array): StreamEvent | undefined {
  const fields = parseObject(new TextDecoder().decode(payload));
  return fields === undefined ? undefined : readEvent(fields);
}

export function encodeStreamEvent(event: StreamEvent): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(event));
}

/** A viewer's text message; undefined for one that is damaged or of an unknown type. */
export function parseViewerMessage(text: string): ViewerMessage | undefined {
  const fields = parseObject(text);
  return fields === undefined ? undefined : readViewerMessage(fields);
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function readEvent(fields: Fields): StreamEvent | undefined {
  const { type, code, message, untilMs, positionMs, speed, paused, codec, sampleRate, channels } = fields;
  switch (type) {
    case 'error':
    case 'notice':
      return isText(code) && isText(message) ? { type, code, message } : undefined;
    case 'gap':
      return untilMs === null || isNumber(untilMs) ? { type, untilMs } : undefined;
    case 'ended':
      return { type };
    case 'clock':
      if (!isNumber(positionMs) || !isNumber(speed) || typeof paused !== 'boolean') return undefined;
      return { type, positionMs, speed, paused };
    case 'format':
      if (!isNumber(codec) || !isNumber(sampleRate) || !isNumber(channels)) return undefined;
      return { type, codec, sampleRate, channels };
    default:
      return undefined;
  }
}

function readViewerMessage(fields: Fields): ViewerMessage | undefined {
  const { type, positionMs, speed, frames, on } = fields;
  switch (type) {
    case 'pause':
    case 'resume':
      return { type };
    case 'seek':
      return isNumber(positionMs) ? { type, positionMs } : undefined;
    case 'speed':
      return isNumber(speed) ? { type, speed } : undefined;
    case 'step':
      return isNumber(frames) ? { type, frames } : undefined;
    case 'video':
      return typeof on === 'boolean' ? { type, on } : undefined;
    default:
      return undefined;
  }
}
