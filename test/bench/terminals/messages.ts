// What a bench says to the processes that hold the terminals, and they to it.

/** What a process needs to have its terminals sign in. */
export interface DialOrder {
  readonly port: number;
  /** Numbers of the first terminal and of those that follow it. */
  readonly first: number;
  readonly count: number;
  readonly dialsPerSecond: number;
}

/** argv of a process, as JSON. */
export interface FleetOrder extends DialOrder {
  readonly positionSeconds: number;
  /** They drive about, each on a way of its own; otherwise all are on the demo's. */
  readonly areDriving?: boolean;
}

/** `stop` ends the sending; the sockets stay open until the process ends. */
export type ToFleet = { readonly type: 'start' } | { readonly type: 'stop' };

export type FromDialing =
  | { readonly type: 'progress'; readonly online: number; readonly cut: number }
  | { readonly type: 'online' }
  | { readonly type: 'failed'; readonly reason: string };

export type FromFleet =
  | FromDialing
  | { readonly type: 'sent'; readonly positions: readonly SentPosition[]; readonly cut: number };

/** Device number, the position's own time in seconds, and when it was handed to the socket, epoch milliseconds. */
export type SentPosition = readonly [device: number, seconds: number, sentAtMs: number];

export const deviceIdOf = (device: number): string => `LOAD-${device}`;
