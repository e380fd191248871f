// What a gateway writes meanwhile: positions and events, once a second.
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { anEvent } from '../../server/store/events/anEvent.ts';
import { DEVICES, NOW_MS } from './fill.ts';

const POSITIONS_A_SECOND = 1_000;
const EVENTS_A_SECOND = 50;

export interface Load {
  /** Milliseconds from when each second's positions were due until they were stored. */
  readonly commitMs: readonly number[];
  stop(): Promise<void>;
}

export function startLoad({ positions, eventLog }: Stores): Load {
  const commitMs: number[] = [];
  let second = 0;
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (dueMs: number): Promise<void> => {
    const atMs = NOW_MS + ++second * 1_000;
    const stored = positions.append(
      Array.from({ length: POSITIONS_A_SECOND }, (_, at) => positionOf((at * 7) % DEVICES, atMs)),
    );
    const added = Array.from({ length: EVENTS_A_SECOND }, (_, at) =>
      anEvent({ archiveNumber: 1 + at, type: `type-${at % 40}`, beginAtMs: atMs, isLate: false }),
    );
    await Promise.all([
      stored.then(() => commitMs.push(performance.now() - dueMs)),
      eventLog.write({ added, changed: [], days: [] }),
    ]);
  };
  const timer = setInterval(() => {
    // A second that has to wait for the one before it counts its wait.
    const dueMs = performance.now();
    writing = writing.then(() => write(dueMs));
  }, 1_000);
  return {
    commitMs,
    stop: async () => {
      clearInterval(timer);
      await writing;
    },
  };
}

function positionOf(at: number, atMs: number): Parameters<Stores['positions']['append']>[0][number] {
  return {
    deviceId: `DEV${at}`,
    incarnation: 1 + at,
    deviceTimeMs: wallMs(atMs),
    receivedAtMs: wallMs(atMs),
    latitude: 24.1,
    longitude: 121.5,
    altitudeM: 20,
    speedKmh: 60,
    headingDeg: 90,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
  };
}
