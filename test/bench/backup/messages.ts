// What the bench says to the process that relays a channel, stores positions and makes backups.

/** `write`: a backup; `load`: its test restore; `build`: a restore beside the present database. */
export type Work = 'write' | 'load' | 'build';

export interface GatewayReady {
  readonly type: 'ready';
  /** For viewers. */
  readonly port: number;
}

export type ToGateway =
  | { readonly type: 'perform'; readonly work: Work }
  /** Positions are stored and pauses are counted until `end`; `work` is done over and over meanwhile. */
  | { readonly type: 'begin'; readonly work: Work | undefined }
  | { readonly type: 'end' };

export interface Performed {
  readonly type: 'performed';
  readonly ms: number;
  readonly rows: number;
  /** Of the archive; 0 where none was written. */
  readonly bytes: number;
  /** How much more memory the process had at most than before. */
  readonly growthBytes: number;
}

export interface Watched {
  readonly type: 'watched';
  /** Of the main thread. */
  readonly longestMs: number;
  /** Of each batch of positions, until it was committed. */
  readonly commitsMs: readonly number[];
}
