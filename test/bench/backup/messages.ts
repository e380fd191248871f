// What the bench says to the process that relays a channel, stores positions and makes backups.

/** `write`: a backup; `load`: its test restore; `build`: a restore beside the present database. */
export type Work = 'write' | 'load' | 'build';

export interface GatewayReady {
  readonly type: 'ready';
  /** Port for viewers. */
  readonly port: number;
}

export type ToGateway =
  | { readonly type: 'perform'; readonly work: Work }
  /** Positions are stored and pauses are counted until `end`; `work` is repeated meanwhile. */
  | { readonly type: 'begin'; readonly work: Work | undefined }
  | { readonly type: 'end' };

export interface Performed {
  readonly type: 'performed';
  readonly ms: number;
  readonly rows: number;
  /** Size of the archive; 0 where none was written. */
  readonly bytes: number;
  /** The most memory that the process had beyond what it had before. */
  readonly growthBytes: number;
}

export interface Watched {
  readonly type: 'watched';
  /** Longest pause of the main thread. */
  readonly longestMs: number;
  /** Time of each batch of positions until it was committed. */
  readonly commitsMs: readonly number[];
}
