import { beforeEach, describe, expect, it } from 'vitest';
import { safetyItem } from '../../../../server/device/jt808/codec/activeSafety.ts';
import { createAlarmMark } from '../../../../server/device/jt808/codec/alarmMark.ts';
import {
  decodeBody,
  encodeBody,
  type MessageBody,
  messageIdOf,
} from '../../../../server/device/jt808/codec/message.ts';
import { MAX_BULK_POSITIONS, MAX_POSITION_ITEMS } from '../../../../server/device/jt808/codec/messages/position.ts';
import { SLICE_ITEMS, SLICE_POSITIONS } from '../../../../server/device/positionSlices.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { type Report, ReportFeed } from '../../../../server/device/reportFeed.ts';
import { handleReport, type Kept } from '../../../../server/device/reports.ts';
import { ruleInputOf } from '../../../../server/events/engine/ruleInputOf.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { POSITION } from './jt808/fakeTerminal.ts';

const START_MS = Date.UTC(2026, 0, 1);
const FIXED = { ...POSITION, time: wallMs(1_000) };
const UNFIXED = { ...FIXED, status: 1, latitude: 0, longitude: 0, time: wallMs(2_000) };

const MARK = createAlarmMark({ terminalId: 'T1', time: undefined, serial: 0, fileCount: 0 });
const manyPositions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...FIXED, time: wallMs(START_MS + at * 1_000) }));
/** A message as the gateway receives it from a terminal. */
const received = (body: MessageBody): MessageBody => {
  const read = decodeBody(messageIdOf(body), '2019', encodeBody(body, '2019'));
  if (!read.ok) throw new Error(read.reason);
  return read.body;
};
const DRIVING_STYLE = safetyItem('drivingStyle', {
  alarmId: 1,
  flag: 0,
  type: 1,
  durationSeconds: 1,
  threshold1: 40,
  threshold2: 0,
  speedKmh: 50,
  altitudeMeters: 0,
  latitude: 23.5,
  longitude: 120.5,
  time: undefined,
  vehicleState: 0,
  mark: MARK,
});

describe('handleReport', () => {
  let kept: Position[];
  let registry: DeviceRegistry;
  let room: number;
  let told: Report[];
  let feed: ReportFeed;
  let turns: number;
  let reached: string[];
  const keep = (body: Parameters<typeof handleReport>[1]): Kept =>
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
      nextTurn: () => {
        turns++;
        return Promise.resolve();
      },
      onLimit: ({ name }) => reached.push(name),
    });

  const report = (body: Parameters<typeof handleReport>[1]): void => {
    void keep(body);
  };

  beforeEach(() => {
    kept = [];
    told = [];
    feed = new ReportFeed((error) => {
      throw error;
    });
    feed.subscribe('events', (each) => void told.push(each));
    room = 10;
    turns = 0;
    reached = [];
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
    // It was not measured there: the status no longer says that there was a fix.
    expect([kept[0]?.statusBits, kept[1]?.statusBits]).toEqual([FIXED.status, FIXED.status & ~2]);
  });

  it('knows nothing of what a terminal fills with ones, or what cannot be', () => {
    const item = (id: number, ...bytes: readonly number[]) => ({ id, value: Uint8Array.from(bytes) });
    const words = (first: number) => [2, 3, 6].map((id) => item(id, first, 255));
    const ones = [item(1, 255, 255, 255, 255), ...words(255), item(0x30, 255)];
    const largest = [item(1, 127, 255, 255, 255), ...words(127), item(0x31, 255)];
    report({ ...FIXED, speedKmh: 6_553.5, direction: 400, altitudeMeters: -1, items: ones });
    report({ ...FIXED, speedKmh: 3_276.7, direction: 65_535, altitudeMeters: 32_767, items: largest });
    const unknown = { speedKmh: undefined, headingDeg: undefined, altitudeM: undefined };
    const items = { mileageKm: undefined, fuelLiters: undefined, cabinCelsius: undefined, signal: undefined };
    expect(kept).toMatchObject([
      { ...unknown, ...items },
      { ...unknown, ...items },
    ]);
    // What came is kept beside it.
    expect(kept[0]?.extra).toMatchObject({ 1: 'ffffffff', 2: 'ffff' });
    for (const each of told) if (each.kind === 'position') expect(each.details).toEqual({});
    expect(told.map(({ kind }) => kind)).toEqual(['position', 'position']);
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

  it.each([
    ['video', 0x14, [0, 0, 0, 1]],
    ['lost channels', 0x15, [0, 0, 0, 1]],
    ['covered channels', 0x16, [0, 0, 0, 1]],
    ['storages', 0x17, [0, 1]],
    ['behavior', 0x18, [0, 1, 50]],
  ])('keeps one without a time whose alarm is in the item of %s alone', (_name, id, bytes) => {
    report({ ...FIXED, time: undefined, items: [{ id, value: new Uint8Array(bytes.length) }] });
    expect(told.filter(({ kind }) => kind === 'position')).toEqual([]);
    report({ ...FIXED, time: undefined, items: [{ id, value: Uint8Array.from(bytes) }] });
    expect(kept).toMatchObject([{ deviceTimeMs: 9_000, alarmBits: 0 }]);
    expect(told.filter(({ kind }) => kind === 'position')).toHaveLength(1);
  });

  it('keeps one without a time that has an alarm of active safety', () => {
    report({ ...FIXED, time: undefined, items: [DRIVING_STYLE] });
    expect(kept).toMatchObject([{ deviceTimeMs: 9_000 }]);
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

  it('takes all of a bulk upload or nothing, and tells of what it keeps alone', async () => {
    const bulk = { kind: 'bulkPositions', type: 1, positions: [FIXED, FIXED], brokenItems: 0 } as const;
    room = 1;
    expect(await keep(bulk)).toBe(false);
    expect([kept, told]).toEqual([[], []]);
    room = 2;
    expect(await keep(bulk)).toBe(true);
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

  it.each([
    ['without items of video', [], 0],
    ['with item 0x14 alone, about something else', [[0x14, [0, 0, 0, 0b10]]], 0],
    ['with item 0x14 saying that a channel is lost, and just not which', [[0x14, [0, 0, 0, 0b1]]], 2],
    ['with an item 0x15 of another channel', [[0x15, [0, 0, 0, 4]]], 4],
  ] as const)('reads a position %s as the event engine does', (_name, items, lostBits) => {
    report({ ...FIXED, items: [{ id: 0x15, value: Uint8Array.from([0, 0, 0, 2]) }] });
    report({ ...FIXED, items: items.map(([id, bytes]) => ({ id, value: Uint8Array.from(bytes) })) });
    expect(registry.videoLost('BUS1')).toBe(lostBits);
    expect(told.filter(({ kind }) => kind === 'video-loss')).toHaveLength(lostBits === 2 ? 1 : 2);
    const last = told.findLast((each) => each.kind === 'position');
    expect(last && ruleInputOf(last)).toMatchObject({ videoLostBits: lostBits === 2 ? undefined : lostBits });
  });

  it('publishes what a terminal says beside positions as it came', () => {
    const body = { kind: 'passthroughUp', type: 0xf7, data: Uint8Array.from([1, 2]) } as const;
    expect(keep(body)).toBe(true);
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

  it('works off a long bulk upload in slices, each in a turn of its own, and tells of all in order', async () => {
    const positions = manyPositions(SLICE_POSITIONS * 3 + 1);
    room = positions.length;
    const keeping = keep({ kind: 'bulkPositions', type: 1, positions, brokenItems: 0 });
    // Nothing is reported before there is room for all.
    expect(told).toEqual([]);
    expect(await keeping).toBe(true);
    expect(turns).toBe(8);
    expect(told.map((each) => each.kind === 'position' && each.position.deviceTimeMs)).toEqual(
      positions.map(({ time }) => time),
    );
    expect(kept).toHaveLength(positions.length);
  });

  it('makes slices smaller where positions have many items', async () => {
    const items = Array.from({ length: SLICE_ITEMS / 4 }, () => DRIVING_STYLE);
    const positions = manyPositions(9).map((each) => ({ ...each, items }));
    expect(await keep({ kind: 'bulkPositions', type: 1, positions, brokenItems: 0 })).toBe(true);
    expect(turns).toBe(6);
  });

  it('is not kept when an event of the last slice is not', async () => {
    const positions = manyPositions(SLICE_POSITIONS + 1);
    room = positions.length;
    let count = 0;
    feed = new ReportFeed(() => undefined);
    feed.subscribe('events', async () => {
      if (++count === positions.length) throw new Error('the database is away');
    });
    expect(await keep({ kind: 'bulkPositions', type: 1, positions, brokenItems: 0 })).toBe(false);
  });

  it('refuses a bulk upload that is longer than what is read of one', async () => {
    room = MAX_BULK_POSITIONS + 1;
    const upload = (count: number): MessageBody =>
      received({ kind: 'bulkPositions', type: 1, positions: manyPositions(count), brokenItems: 0 });
    expect(await keep(upload(MAX_BULK_POSITIONS))).toBe(true);
    expect(reached).toEqual([]);
    expect(await keep(upload(MAX_BULK_POSITIONS + 1))).toBe(false);
    expect(reached).toEqual(['terminals.positions.message']);
    expect(kept).toHaveLength(MAX_BULK_POSITIONS);
  });

  it('leaves items unread that are more than a position has', () => {
    const items = Array.from({ length: MAX_POSITION_ITEMS + 1 }, () => ({ id: 0x30, value: Uint8Array.of(9) }));
    const at = { ...FIXED, time: wallMs(START_MS) };
    report(received({ ...at, items: items.slice(1) }));
    expect(reached).toEqual([]);
    report(received({ ...at, items }));
    expect(reached).toEqual(['terminals.position-items.position']);
    expect(told.map((each) => each.kind === 'position' && each.items.length)).toEqual(
      Array(2).fill(MAX_POSITION_ITEMS),
    );
  });
});
