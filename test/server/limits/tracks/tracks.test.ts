import { expect } from 'vitest';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import {
  CLOCK_STEPS_LIMIT,
  DeviceTrack,
  MESSAGES_LIMIT,
  WAITING_LIMIT,
} from '../../../../server/tracks/engine/deviceTrack.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aPosition } from '../../../support/tracks/drives.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const FROM_MS = Date.UTC(2026, 10, 20);
const device = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };

function open(onLimit: OnLimit, now = () => FROM_MS): DeviceTrack {
  const track = new DeviceTrack(device, { now, timeZoneOf: () => 'UTC', onLimit });
  track.resumeClock([{ deviceFromMs: 0, offsetMs: 0 }]);
  return track;
}

const waiting: LimitCase = {
  limit: WAITING_LIMIT,
  open: (onLimit) => {
    const track = open(onLimit);
    const wait = (at: number) => track.addLive(aPosition({ atMs: FROM_MS + at * 1_000, latitude: 1, longitude: 1 }));
    return {
      upTo: () => {
        for (let at = 0; at < WAITING_LIMIT.max; at++) expect(wait(at)).toEqual([]);
      },
      beyond: () => {
        expect(wait(WAITING_LIMIT.max)).toEqual([{ localDay: 20_261_120, fromMs: FROM_MS }]);
        expect(track.firstWaitingMs()).toBeUndefined();
      },
    };
  },
};

const clockSteps: LimitCase = {
  limit: CLOCK_STEPS_LIMIT,
  open: (onLimit) => {
    const clock = { nowMs: FROM_MS };
    const track = open(onLimit, () => clock.nowMs);
    let atMs = FROM_MS;
    const set = (offsetMs: number) => {
      for (let report = 0; report < 5; report++) {
        atMs += 600_000;
        const about = { deviceTimeMs: wallMs(atMs - offsetMs), receivedAtMs: wallMs(atMs) };
        track.addLive(aPosition({ atMs, latitude: 1, longitude: 1 }, about));
      }
    };
    return {
      upTo: () => {
        for (let step = 1; step <= CLOCK_STEPS_LIMIT.max; step++) set(step * 100_000);
        expect(track.newSteps).toHaveLength(CLOCK_STEPS_LIMIT.max);
      },
      beyond: () => {
        set(0);
        expect(track.newSteps).toHaveLength(CLOCK_STEPS_LIMIT.max);
        clock.nowMs += 24 * 3_600_000;
        set(0);
        expect(track.newSteps.slice(CLOCK_STEPS_LIMIT.max)).toMatchObject([{ offsetMs: 0 }]);
      },
    };
  },
};

const messages: LimitCase = {
  limit: MESSAGES_LIMIT,
  open: (onLimit) => {
    const track = open(onLimit);
    return {
      upTo: () => {
        for (let at = 0; at < MESSAGES_LIMIT.max; at++) expect(track.mayReport()).toBe(true);
      },
      beyond: () => expect(track.mayReport()).toBe(false),
    };
  },
};

describeLimits('Tracks', [waiting, clockSteps, messages]);
