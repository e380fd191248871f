import { expect } from 'vitest';
import type { Listener } from '../../../../server/bus/topic.ts';
import type { Report } from '../../../../server/device/reportFeed.ts';
import { POSITION_PACKING_LIMIT, PositionPacking } from '../../../../server/fleet/positions/positionPacking.ts';
import { PRESENCE_CHANGES_LIMIT, PresenceRecorder } from '../../../../server/fleet/presence/presenceRecorder.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { turnUntil } from '../../../support/waitFor.ts';
import type { LimitCase } from '../describeLimits.ts';

const failNever = (error: Error): void => {
  throw error;
};

const packingCase: LimitCase = {
  limit: POSITION_PACKING_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    let left = 0;
    const parts: number[] = [];
    const packing = new PositionPacking({
      packing: {
        due: async (after) => (after === 0 && left > 0 ? [1] : []),
        packFirst: async (_incarnation, limit, { fromMs }) => {
          const positions = Math.min(limit, left);
          left -= positions;
          parts.push(positions);
          return { positions, blocks: 1, nextFromMs: positions > 0 ? fromMs : undefined };
        },
      },
      now: timers.now,
      runAfter: timers.runAfter,
      onLimit,
      onFault: failNever,
    });
    const pack = async (positions: number): Promise<void> => {
      const before = packing.packedPositions;
      left = positions;
      await turnUntil('all are packed', () => {
        timers.advance(3_600_000);
        return packing.packedPositions - before === positions;
      });
    };
    return {
      upTo: () => pack(POSITION_PACKING_LIMIT.max - 1),
      beyond: async () => {
        await pack(POSITION_PACKING_LIMIT.max + 1);
        expect(Math.max(...parts)).toBe(POSITION_PACKING_LIMIT.max);
        await packing.close();
      },
    };
  },
};

const presenceCase: LimitCase = {
  limit: PRESENCE_CHANGES_LIMIT,
  open: (onLimit) => {
    let listener: Listener<Report> = () => undefined;
    const written: number[] = [];
    const recorder = new PresenceRecorder({
      store: {
        write: async ({ added }) => void written.push(...added.map(({ incarnation }) => incarnation)),
        noteSeen: async () => undefined,
        endAll: async () => undefined,
        endLeftOpen: async () => 0,
      },
      feed: {
        subscribe: (_, given) => {
          listener = given;
          return () => undefined;
        },
      },
      now: () => 1,
      runAfter: () => () => undefined,
      onLimit,
      onFault: failNever,
    });
    const come = (incarnation: number): void => {
      const device = { deviceId: 'BUS', incarnation, archiveNumber: 1 };
      const report: Report = { kind: 'presence', device, isOnline: true, atMs: 1 };
      void listener(report);
    };
    return {
      upTo: () => {
        for (let incarnation = 0; incarnation < PRESENCE_CHANGES_LIMIT.max; incarnation++) come(incarnation);
      },
      beyond: async () => {
        come(PRESENCE_CHANGES_LIMIT.max);
        await recorder.stop();
        expect(written).toHaveLength(PRESENCE_CHANGES_LIMIT.max);
        expect(written.at(-1)).toBe(PRESENCE_CHANGES_LIMIT.max - 1);
      },
    };
  },
};

export const positionCases: readonly LimitCase[] = [packingCase, presenceCase];
