// What the bench says to the processes that it starts for the relay's row, and what they answer.

/** Whether a connection's bytes are counted. */
export const SIDES = ['counted', 'uncounted'] as const;
export type Side = (typeof SIDES)[number];

export interface RelayReady {
  readonly type: 'ready';
  readonly viewersPort: number;
  /** For terminals. */
  readonly ports: Readonly<Record<Side, number>>;
}

/** A turn begins, or ends once so many bytes of terminals have come. */
export type ToRelay =
  | { readonly type: 'begin' }
  | { readonly type: 'end'; readonly side: Side; readonly bytes: number };

export interface RelayReport {
  readonly type: 'report';
  /** Of the process, in the turn. */
  readonly cpuSeconds: number;
  readonly packets: number;
  /** What the meter was told. */
  readonly countedBytes: number;
  /** Of `cpuSeconds`, or of the time that the machine has kept it waiting. */
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

/** Of each side: a terminal each, with one media connection. */
export const CHANNELS = 100;
export const VIEWERS = 200;
/** Begins with a key frame, and each side is silent for less time than a silent terminal has. */
export const TURN_FRAMES = 50;

/** Of the digits that packets bear. */
export function terminalNumber(side: Side, at: number): string {
  return `0138${String(SIDES.indexOf(side))}${String(at).padStart(7, '0')}`;
}
