// What is said on the two sockets by which a person acts on a vehicle: moving a camera, and talking. One person at a time
// holds either; the hold is the socket, so a lost page lets go. From the gateway come stream packets, as on every stream.
// Everything is read from outside, so everything is parsed by total functions.

/** Beside the paths of the streams; the query is theirs too: username, credential, deviceid, channel. */
export const ControlPath = {
  Ptz: '/stream/control/ptz',
  Talk: '/stream/control/talk',
} as const;

const PTZ_DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
export type PtzDirection = (typeof PTZ_DIRECTIONS)[number];

/** Where a camera is to go, or what it is to switch. Movements last until `stop`, or until the socket closes. */
export type PtzMessage =
  /** `speed` from 1 to 255. */
  | { readonly type: 'move'; readonly direction: PtzDirection; readonly speed: number }
  | { readonly type: 'zoom'; readonly direction: 'in' | 'out' }
  | { readonly type: 'focus'; readonly direction: 'near' | 'far' }
  | { readonly type: 'iris'; readonly direction: 'open' | 'close' }
  | { readonly type: 'stop' }
  | { readonly type: 'wiper'; readonly on: boolean }
  | { readonly type: 'infrared'; readonly on: boolean };

/** Events on these sockets, beside a stream's `error` (the last one before closing) and `format`. */
export type ControlEvent =
  /** This socket holds the camera now. */
  | { readonly type: 'held' }
  /** A command was not carried out; the hold goes on. Codes: `offline`, `refused`, `no-answer`. */
  | { readonly type: 'failed'; readonly code: string; readonly message: string }
  /** The talk line is open: speech is sent in binary messages, mono, signed 16 bit, little-endian, at this rate. */
  | { readonly type: 'opened'; readonly sampleRate: number };

type Fields = Readonly<Record<string, unknown>>;

export function encodeControlEvent(event: ControlEvent): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(event));
}

/** The event in a packet's payload; undefined for one that is damaged or of another type. */
export function parseControlEvent(payload: Uint8Array): ControlEvent | undefined {
  const { type, code, message, sampleRate } = parseFields(new TextDecoder().decode(payload));
  switch (type) {
    case 'held':
      return { type };
    case 'failed':
      return typeof code === 'string' && typeof message === 'string' ? { type, code, message } : undefined;
    case 'opened':
      return typeof sampleRate === 'number' && sampleRate > 0 ? { type, sampleRate } : undefined;
    default:
      return undefined;
  }
}

/** A text message of the page; undefined for one that is damaged, unknown or out of range. */
export function parsePtzMessage(text: string): PtzMessage | undefined {
  const { type, direction, speed, on } = parseFields(text);
  switch (type) {
    case 'move': {
      const known = PTZ_DIRECTIONS.find((candidate) => candidate === direction);
      const isSpeed = typeof speed === 'number' && Number.isInteger(speed) && speed >= 1 && speed <= 255;
      return known !== undefined && isSpeed ? { type, direction: known, speed } : undefined;
    }
    case 'zoom':
      return direction === 'in' || direction === 'out' ? { type, direction } : undefined;
    case 'focus':
      return direction === 'near' || direction === 'far' ? { type, direction } : undefined;
    case 'iris':
      return direction === 'open' || direction === 'close' ? { type, direction } : undefined;
    case 'stop':
      return { type };
    case 'wiper':
    case 'infrared':
      return typeof on === 'boolean' ? { type, on } : undefined;
    default:
      return undefined;
  }
}

function parseFields(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}
