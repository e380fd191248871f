// What the bench says to the process that relays a channel and makes reports.

export interface GatewayReady {
  readonly type: 'ready';
  readonly port: number;
}

/** `begin`: pauses are counted from now on. */
export type ToGateway = 'begin' | 'end' | 'work';

export interface Paused {
  readonly type: 'paused';
  readonly longestMs: number;
  /** Processor time of the main thread, seconds a second. */
  readonly busy: number;
}

export interface Worked {
  readonly type: 'worked';
  readonly reports: readonly MadeReport[];
  readonly file: WrittenFile;
}

export interface MadeReport {
  readonly kind: string;
  readonly rows: number;
  readonly ms: number;
}

export interface WrittenFile {
  readonly rows: number;
  readonly ms: number;
  readonly bytes: number;
  /** The most memory that the process had beyond what it had before. */
  readonly growthBytes: number;
}
