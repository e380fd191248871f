// Reports of terminals and rules about a condition, before it is decided whether that is a new event.

/** Where a signal comes from, as a bit: one event may be reported by several origins, and ends when the last of them has ended. */
export const Origin = {
  /** The 32 bits of a position. */
  AlarmWord: 1,
  /** Item 0x14. */
  VideoAlarms: 2,
  /** Item 0x15. */
  VideoLoss: 4,
  /** Item 0x16. */
  VideoCovered: 8,
  /** Item 0x17. */
  Storage: 16,
  /** Item 0x18. */
  AbnormalDriving: 32,
  /** Items 0x64 to 0x67 and 0x70. */
  ActiveSafety: 64,
  /** 0x0800. */
  Media: 128,
  /** Types made by an administrator: a position item or a passthrough message. */
  Custom: 256,
  /** A rule of the gateway. */
  Rule: 512,
  /** The gateway about itself. */
  System: 1024,
  /** A fence of a member group. */
  Fence: 2048,
} as const;
export type Origin = (typeof Origin)[keyof typeof Origin];

/**
 * `held`: lasts as long as every report that covers its origin repeats it. `begin` and `end`: lasts from one to the other.
 * `momentary`: over as soon as it is reported.
 */
export type SignalForm = 'held' | 'begin' | 'end' | 'momentary';

export interface Signal {
  /** Code of the event type. */
  readonly type: string;
  /** Channel, storage or tire, from 1; 0: the device as a whole. */
  readonly unit: number;
  /** Fence, or the terminal's own number of an area; 0: none. */
  readonly area: number;
  readonly form: SignalForm;
  readonly origin: Origin;
  /** The measured value, and the allowed one below, in the unit that belongs to the type. */
  readonly value?: number;
  readonly limit?: number;
  /** When the condition began, or ended, where that was before the report: a rule waits before it reports. */
  readonly sinceMs?: number;
  /** The 16 bytes with which the terminal identifies its files of the alarm (T/JSATL 12), in hex. */
  readonly alarmMark?: string;
}

/** The content of one report. */
export interface Observation {
  /** Time by the gateway's clock; by the device's for a late report. */
  readonly atMs: number;
  readonly deviceTimeMs: number;
  readonly isLate: boolean;
  /** Bits of the origins whose held signals are all in it: conditions of them that it leaves out have ended. */
  readonly covered: number;
  readonly signals: readonly Signal[];
  /** How many more signals there were than one report may raise. */
  readonly signalsLeftOut?: number;
}
