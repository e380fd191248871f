// What the bench says to the processes that it starts for the relay's row, and what they answer.

/** Whether a connection's bytes are counted. */
export const SIDES = ['counted', 'uncounted'] as const;
export type Side = (typeof SIDES)[number];

export interface RelayReady {
  readonly type: 'ready';
  readonly viewersPort: number;
  /** Ports for terminals. */
  readonly ports: Readonly<Record<Side, number>>;
}

/** A turn begins, or ends once this many bytes have come from terminals. */
export type ToRelay =
  | { readonly type: 'begin' }
  | { readonly type: 'end'; readonly side: Side; readonly bytes: number };

export interface RelayReport {
  readonly type: 'report';
  /** Processor time of the process in the turn. */
  readonly cpuSeconds: number;
  readonly packets: number;
  /** Bytes that were reported to the meter. */
  readonly countedBytes: number;
  /** Part of `cpuSeconds`, or of the time for which the machine kept the process waiting. */
  readonly countingSeconds: number;
}

/** The terminals of one side send for the length of a turn. */
export interface ToTerminals {
  readonly type: 'send';
  readonly side: Side;
}

export interface Sent {
  readonly type: 'sent';
  readonly bytes: number;
}

/** Channels of each side: one terminal each, with one media connection. */
export const CHANNELS = 100;
export const VIEWERS = 200;
/** Pictures of a turn: it begins with a key frame, and each side is silent for less time than a silent terminal may be. */
export const TURN_FRAMES = 50;

/** The digits of the number that packets carry. */
export function terminalNumber(side: Side, at: number): string {
  return `0138${String(SIDES.indexOf(side))}${String(at).padStart(7, '0')}`;
}
