// What the bench says to the process that it starts for each side.

export type RelayKind = 'fleetglass' | 'bare ws';

export interface ServerReady {
  readonly type: 'ready';
  readonly port: number;
}

export interface ViewersReport {
  readonly type: 'report';
  /** Milliseconds from the moment a frame was due until a viewer had it; a sample of all receipts. */
  readonly delaysMs: readonly number[];
  readonly received: number;
  readonly expected: number;
}

export const FRAME_MS = 40;
/** 800 kbit/s at 25 frames a second. */
export const FRAME_BYTES = 4_000;
/** A group of two seconds, as most cameras send. */
export const GROUP_FRAMES = 50;
