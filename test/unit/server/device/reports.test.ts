import { beforeEach, describe, expect, it } from 'vitest';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { type Report, ReportFeed } from '../../../../server/device/reportFeed.ts';
import { handleReport, type Kept } from '../../../../server/device/reports.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { POSITION } from './jt808/fakeTerminal.ts';

const FIXED = { ...POSITION, time: wallMs(1_000) };
const UNFIXED = { ...FIXED, status: 1, latitude: 0, longitude: 0, time: wallMs(2_000) };

describe('handleReport', () => {
  let kept: Position[];
  let registry: DeviceRegistry;
  let room: number;
  let told: Report[];
  let feed: ReportFeed;
  const report = (body: Parameters<typeof handleReport>[1]): Kept =>
    handleReport({ deviceId: 'BUS1', incarnation: 1, archiveNumber: 5, edition: '2019' }, body, {
      registry,
      positions: {
        add: (positions) => {
          if (positions.length > room) return false;
          kept.push(...positions);
          return true;
        },
      },
      feed,
      now: () => 9_000,
    });

  beforeEach(() => {
    kept = [];
    told = [];
    feed = new ReportFeed((error) => {
      throw error;
    });
    feed.subscribe((each) => void told.push(each));
    room = 10;
    registry = new DeviceRegistry(() => 0);
  });

  it('keeps a position without a fix at the place of the last one, and its status as it is', () => {
    report(FIXED);
    report({ ...UNFIXED, alarm: 1 });
    expect(kept[1]).toMatchObject({
      latitude: 23.5,
      longitude: 120.5,
      statusBits: 1,
      alarmBits: 1,
      deviceTimeMs: 2_000,
    });
  });

  it('keeps one whose coordinates are nowhere on earth at the last place', () => {
    report(FIXED);
    report({ ...FIXED, latitude: 116.3, longitude: 40 });
    expect(kept[1]).toMatchObject({ latitude: 23.5, longitude: 120.5 });
  });

  it('takes the old coordinates of a terminal that has had no fix since the gateway started', () => {
    report({ ...UNFIXED, latitude: 10, longitude: 20 });
    report({ ...UNFIXED, latitude: 400 });
    expect(kept).toMatchObject([
      { latitude: 10, longitude: 20 },
      { latitude: 0, longitude: 0 },
    ]);
  });

  it('drops one without a time, unless it bears an alarm', () => {
    report({ ...FIXED, time: undefined });
    expect(kept).toEqual([]);
    report({ ...FIXED, time: undefined, alarm: 1 });
    expect(kept).toMatchObject([{ deviceTimeMs: 9_000, receivedAtMs: 9_000 }]);
  });

  it('keeps every position of a bulk upload, and does not take its cameras for those of now', () => {
    const lost = { id: 0x15, value: Uint8Array.from([0, 0, 0, 2]) };
    report({ kind: 'bulkPositions', type: 1, positions: [FIXED, { ...FIXED, items: [lost] }], brokenItems: 0 });
    expect(kept).toHaveLength(2);
    expect(registry.videoLost('BUS1')).toBe(0);
    report({ ...FIXED, items: [lost] });
    expect(registry.videoLost('BUS1')).toBe(2);
    expect(kept[2]?.extra).toEqual({ 21: '00000002' });
  });

  it('takes all of a bulk upload or nothing, and tells of what it keeps alone', () => {
    const bulk = { kind: 'bulkPositions', type: 1, positions: [FIXED, FIXED], brokenItems: 0 } as const;
    room = 1;
    expect(report(bulk)).toBe(false);
    expect([kept, told]).toEqual([[], []]);
    room = 2;
    expect(report(bulk)).toBe(true);
    expect([kept.length, told.length]).toEqual([2, 2]);
  });

  it('publishes each position as it is stored, of a bulk upload in the order of their times', () => {
    const lost = { id: 0x15, value: Uint8Array.from([0, 0, 0, 2]) };
    report({ ...FIXED, items: [lost] });
    const later = { ...FIXED, time: wallMs(3_000) };
    report({ kind: 'bulkPositions', type: 1, positions: [later, { ...FIXED, time: wallMs(2_000) }], brokenItems: 0 });
    const device = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 5 };
    expect(told).toEqual([
      { kind: 'video-loss', device, lostBits: 2, receivedAtMs: 9_000 },
      expect.objectContaining({ kind: 'position', device, edition: '2019', position: kept[0], isLive: true }),
      expect.objectContaining({ kind: 'position', position: kept[1], isLive: false }),
      expect.objectContaining({ kind: 'position', position: kept[2], isLive: false }),
    ]);
    expect(kept.map(({ deviceTimeMs }) => deviceTimeMs)).toEqual([1_000, 2_000, 3_000]);
    expect(told[1]).toMatchObject({ items: [lost], details: { videoLostBits: 2 } });
  });

  it('tells once that channels lost their picture, and again when that changes', () => {
    const lost = (bits: number) => ({ ...FIXED, items: [{ id: 0x15, value: Uint8Array.from([0, 0, 0, bits]) }] });
    for (const bits of [2, 2, 0]) report(lost(bits));
    const losses = told.filter(({ kind }) => kind === 'video-loss');
    expect(losses).toMatchObject([{ lostBits: 2 }, { lostBits: 0 }]);
  });

  it('publishes what a terminal says beside positions as it came', () => {
    const body = { kind: 'passthroughUp', type: 0xf7, data: Uint8Array.from([1, 2]) } as const;
    expect(report(body)).toBe(true);
    expect(told).toEqual([
      {
        kind: 'message',
        device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 5 },
        body,
        receivedAtMs: 9_000,
      },
    ]);
  });

  it("takes an item of the same number and another length for a vendor's own", () => {
    report({ ...FIXED, items: [{ id: 0x15, value: Uint8Array.from([255]) }] });
    expect(registry.videoLost('BUS1')).toBe(0);
  });
});
