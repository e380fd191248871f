// What the bench says to the process that records.

export const FRAME_MS = 40;
/** 1 Mbit/s at 25 pictures a second. */
export const PAYLOAD_BYTES = 5_000;
export const GROUP_FRAMES = 50;
export const WATCHED = 8;
export const WARM_UP_MS = 3_000;

export interface RecorderReady {
  readonly type: 'ready';
  readonly port: number;
}

export interface RecorderReport {
  readonly type: 'report';
  readonly droppedPackets: number;
  readonly failures: number;
  readonly payloadBytes: number;
  /** Bytes of segments and sidecars on the disk. */
  readonly diskBytes: number;
  readonly cpuSeconds: number;
  /** 95th percentile of how late pictures were relayed. */
  readonly lateP95Ms: number;
  /** The most that was held in memory for the disk. */
  readonly heldBytes: number;
}
