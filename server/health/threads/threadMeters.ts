import { BusyMeter } from './busyMeter.ts';

/** Of the threads that answer the main thread. Those of a single job end with it, and keep nobody waiting. */
export interface ThreadMeters {
  readonly databaseWriter: BusyMeter;
  readonly databaseReader: BusyMeter;
  readonly tracks: BusyMeter;
  readonly reportResults: BusyMeter;
}

export function createThreadMeters(now: () => number): ThreadMeters {
  return {
    databaseWriter: new BusyMeter(now),
    databaseReader: new BusyMeter(now),
    tracks: new BusyMeter(now),
    reportResults: new BusyMeter(now),
  };
}
