// What the bench of alarms says to the processes that hold the terminals, and they to it.
import type { FromDialing } from '../terminals/messages.ts';

export type ToAlarmFleet =
  /** From now on the process's terminals report in turn, so many a second. */
  | { readonly type: 'report'; readonly perSecond: number }
  /** The driver of this one presses the emergency button; its reports say so until the process ends. */
  | { readonly type: 'emergency'; readonly device: number }
  /** Alarms of as many of the process's first terminals, each over with its next report. */
  | { readonly type: 'alarms'; readonly count: number; readonly among: number; readonly perSecond: number };

/** `raised` answers `emergency` at once, and `alarms` after the last of them. */
export type FromAlarmFleet = FromDialing | { readonly type: 'raised'; readonly alarms: readonly RaisedAlarm[] };

/** Device number, and when the report was handed to its socket, epoch milliseconds. */
export type RaisedAlarm = readonly [device: number, raisedAtMs: number];
