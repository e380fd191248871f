import { BusyMeter } from './busyMeter.ts';

/** Meters of the threads that answer the main thread. Threads of a single job end with it, and block nothing else. */
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
