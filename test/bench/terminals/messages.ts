// What the bench says to the processes that hold the terminals, and they to it.

/** argv of a process, as JSON. */
export interface FleetOrder {
  readonly port: number;
  /** Numbers of the first terminal and of those that follow it. */
  readonly first: number;
  readonly count: number;
  readonly dialsPerSecond: number;
  readonly positionSeconds: number;
}

/** `stop` ends the sending; the sockets stay open until the process ends. */
export type ToFleet = { readonly type: 'start' } | { readonly type: 'stop' };

export type FromFleet =
  | { readonly type: 'progress'; readonly online: number; readonly cut: number }
  | { readonly type: 'online' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'sent'; readonly positions: readonly SentPosition[]; readonly cut: number };

/** Device number, the position's own time in seconds, and when it was handed to the socket, epoch milliseconds. */
export type SentPosition = readonly [device: number, seconds: number, sentAtMs: number];

export const deviceIdOf = (device: number): string => `LOAD-${device}`;
