// How the limits of devices in geofences are reached.
import { expect } from 'vitest';
import { DeviceFences } from '../../../../server/fences/engine/deviceFences.ts';
import { INSIDE_LIMIT, OUTSIDE_LIMIT } from '../../../../server/fences/engine/fenceCourse.ts';
import { FenceWriter, MOVEMENTS_LIMIT } from '../../../../server/fences/engine/fenceWriter.ts';
import {
  FENCE_PREVIEWS_LIMIT,
  FencePreviews,
  PREVIEW_POSITIONS_LIMIT,
} from '../../../../server/fences/preview/fencePreviews.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import type { FenceRules } from '../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { FENCE_PLACES, fenceContent, fenceSet, storedFence } from '../../../support/fences.ts';
import { INSIDE, OUTSIDE, pointAt, START_MS } from '../../../unit/server/fences/engine/drive.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

/** What a device says of so many geofences with the rule. */
function signalsOf(count: number, rules: Partial<FenceRules>, onLimit: OnLimit): number {
  const set = fenceSet(Array.from({ length: count }, (_, at) => storedFence({ rules }, at + 1)));
  const place = set.placeOf(7);
  if (place === undefined) throw new Error('no device');
  const fences = new DeviceFences(place, { write: () => undefined, onLimit });
  const where = rules.enter === true ? INSIDE : OUTSIDE;
  const first = fences.evaluate(pointAt(0, where), set).length;
  return first + fences.tick(START_MS + 60_000, set).length;
}

const insideCase: LimitCase = {
  limit: INSIDE_LIMIT,
  open: (onLimit) => {
    const say = (count: number) => signalsOf(count, { enter: true }, onLimit);
    return {
      upTo: () => expect(say(INSIDE_LIMIT.max)).toBe(INSIDE_LIMIT.max),
      beyond: () => expect(say(INSIDE_LIMIT.max + 1)).toBe(INSIDE_LIMIT.max),
    };
  },
};

const outsideCase: LimitCase = {
  limit: OUTSIDE_LIMIT,
  open: (onLimit) => {
    const say = (count: number) => signalsOf(count, { outsideMinutes: 1 }, onLimit);
    return {
      upTo: () => expect(say(OUTSIDE_LIMIT.max)).toBe(OUTSIDE_LIMIT.max),
      beyond: () => expect(say(OUTSIDE_LIMIT.max + 1)).toBe(OUTSIDE_LIMIT.max),
    };
  },
};

const movementsCase: LimitCase = {
  limit: MOVEMENTS_LIMIT,
  open: (onLimit) => {
    const write = () => Promise.reject(new Error('away'));
    const { runAfter } = new ManualTimers();
    const writer = new FenceWriter({ store: { write }, runAfter, onFault: () => undefined, onLimit });
    const add = (fence: number) => writer.add({ kind: 'forget', fence, incarnation: 1 });
    return {
      upTo: () => {
        for (let at = 0; at < MOVEMENTS_LIMIT.max; at++) add(at);
      },
      beyond: () => {
        add(0);
        expect(writer.waitingCount).toBe(MOVEMENTS_LIMIT.max);
      },
    };
  },
};

function previewsOf(positions: number, onLimit: OnLimit): FencePreviews {
  const position = (at: number): Position => ({
    deviceId: 'BUS1',
    incarnation: 7,
    deviceTimeMs: wallMs(START_MS + at),
    receivedAtMs: wallMs(START_MS + at),
    latitude: OUTSIDE.lat,
    longitude: OUTSIDE.lng,
    altitudeM: 0,
    speedKmh: 0,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
  });
  // One every millisecond.
  const between = async (_: string, { fromMs }: { readonly fromMs: number }, limit: number) => {
    const first = Math.max(0, fromMs - START_MS);
    return Array.from({ length: Math.max(0, Math.min(limit, positions - first)) }, (_each, at) => position(first + at));
  };
  return new FencePreviews({
    positions: { between },
    places: { places: async () => FENCE_PLACES },
    now: () => START_MS + 86_400_000,
    nextTurn: async () => undefined,
    onLimit,
  });
}

const wanted = { content: fenceContent({ rules: { enter: true } }), memberGroup: 1 };

const previewsCase: LimitCase = {
  limit: FENCE_PREVIEWS_LIMIT,
  open: (onLimit) => {
    const previews = previewsOf(1, onLimit);
    return {
      upTo: async () => expect(await previews.preview(wanted)).toBeDefined(),
      beyond: async () => {
        const running = previews.preview(wanted);
        expect(await previews.preview(wanted)).toBeUndefined();
        await running;
      },
    };
  },
};

const positionsCase: LimitCase = {
  limit: PREVIEW_POSITIONS_LIMIT,
  open: (onLimit) => {
    const isCut = async (positions: number) => (await previewsOf(positions, onLimit).preview(wanted))?.isCut;
    return {
      upTo: async () => expect(await isCut(PREVIEW_POSITIONS_LIMIT.max - 1)).toBe(false),
      beyond: async () => expect(await isCut(PREVIEW_POSITIONS_LIMIT.max + 1)).toBe(true),
    };
  },
};

describeLimits('Geofences of devices', [insideCase, outsideCase, movementsCase, previewsCase, positionsCase]);
