import { describe, expect, it } from 'vitest';
import { FENCE_PREVIEWS_LIMIT, FencePreviews } from '../../../../../server/fences/preview/fencePreviews.ts';
import type { Position } from '../../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { FENCE_PLACES, FENCED_DEVICE, fenceContent } from '../../../../support/fences.ts';
import { INSIDE, OUTSIDE, START_MS } from '../engine/drive.ts';

const NOW_MS = START_MS + 3 * 86_400_000;
const CLOCK_MS = 420_000;

/** The clock of the device is seven minutes behind. */
function position(seconds: number, { lat, lng }: typeof INSIDE): Position {
  const receivedAtMs = START_MS + seconds * 1_000;
  return {
    deviceId: 'BUS1',
    incarnation: 7,
    deviceTimeMs: wallMs(receivedAtMs - CLOCK_MS),
    receivedAtMs: wallMs(receivedAtMs),
    latitude: lat,
    longitude: lng,
    altitudeM: 0,
    speedKmh: 40,
    headingDeg: 90,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
    isLate: false,
  };
}

function previewsOf(stored: readonly Position[]) {
  const limits: string[] = [];
  let turns = 0;
  const previews = new FencePreviews({
    positions: {
      between: async (deviceId, { fromMs, toMs }, limit) =>
        stored
          .filter((each) => each.deviceId === deviceId && each.deviceTimeMs >= fromMs && each.deviceTimeMs < toMs)
          .slice(0, limit),
    },
    places: { places: async () => FENCE_PLACES },
    now: () => NOW_MS,
    nextTurn: async () => void turns++,
    onLimit: ({ name }) => limits.push(name),
  });
  return { previews, limits, turns: () => turns };
}

describe('the preview of a geofence', () => {
  const content = fenceContent({ rules: { enter: true, leave: true, insideMinutes: 5 } });

  it('raises what the engine would have raised, on the clock of the gateway', async () => {
    const { previews } = previewsOf([position(0, OUTSIDE), position(60, INSIDE), position(900, OUTSIDE)]);
    const preview = await previews.preview({ content, memberGroup: 1 });
    expect(preview).toMatchObject({ devices: 1, total: 3, isCut: false });
    expect(preview?.events.map(({ type, atMs }) => [type, (atMs - START_MS) / 1_000])).toEqual([
      ['fence-entered', 60],
      ['fence-inside-long', 60],
      ['fence-left', 900],
    ]);
    expect(preview?.events[0]).toMatchObject({ deviceid: 'BUS1', deviceName: FENCED_DEVICE.name, lat: 24.005 });
  });

  it('says nothing of what was so before, and counts time that still lasts', async () => {
    const { previews } = previewsOf([position(0, INSIDE)]);
    const preview = await previews.preview({ content, memberGroup: 1 });
    expect(preview?.events.map(({ type }) => type)).toEqual(['fence-inside-long']);
  });

  it('is about devices of the member group alone, on or off', async () => {
    const { previews } = previewsOf([position(0, OUTSIDE), position(60, INSIDE)]);
    expect(await previews.preview({ content, memberGroup: 2 })).toMatchObject({ devices: 0, total: 0 });
    const off = { ...content, enabled: false };
    expect(await previews.preview({ content: off, memberGroup: 1 })).toMatchObject({ devices: 1, total: 2 });
  });

  it('takes positions part by part, those of one moment once, and lets others have their turn', async () => {
    const many = Array.from({ length: 1_200 }, (_, at) => position(Math.floor(at / 3), OUTSIDE));
    const { previews, turns } = previewsOf([...many, position(3_600, INSIDE)]);
    expect(await previews.preview({ content, memberGroup: 1 })).toMatchObject({ total: 2 });
    expect(turns()).toBeGreaterThanOrEqual(3);
  });

  it('lists the first 500, and counts all', async () => {
    const drives = Array.from({ length: 400 }, (_, at) => position(at * 60, at % 2 === 0 ? OUTSIDE : INSIDE));
    const { previews } = previewsOf(drives);
    const preview = await previews.preview({
      content: fenceContent({ rules: { enter: true, leave: true, speedKmh: 30 } }),
      memberGroup: 1,
    });
    expect([preview?.total, preview?.events.length]).toEqual([599, 500]);
  });

  it('runs one at a time', async () => {
    const { previews, limits } = previewsOf([]);
    const first = previews.preview({ content, memberGroup: 1 });
    expect(await previews.preview({ content, memberGroup: 1 })).toBeUndefined();
    expect(await first).toMatchObject({ devices: 1 });
    expect(limits).toEqual([FENCE_PREVIEWS_LIMIT.name]);
  });
});
