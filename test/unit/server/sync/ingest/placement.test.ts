import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PastGroup } from '../../../../../server/recording/past/pastWriter.ts';
import { GroupCollector } from '../../../../../server/sync/ingest/groupCollector.ts';
import { Placement } from '../../../../../server/sync/ingest/placement.ts';
import { readTimes } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../../../shared/protocol/timeRanges.ts';
import { NOON, PICTURE_MS, picture, sound, soundFormat } from '../../../../server/recording/recordingScene.ts';
import { runs } from '../../../../support/runs.ts';

const SPAN_MS = 60_000;
const PICTURES = SPAN_MS / PICTURE_MS;

interface Over {
  readonly taken?: readonly TimeRange[];
  readonly groupPictures?: number;
  readonly deviceAheadMs?: number;
  readonly toGatewayMs?: (deviceMs: number) => ReturnType<typeof wallMs>;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A minute of pictures from noon on, their dates on the device's clock. */
function place(numbers: Iterable<number>, over: Over = {}): PastGroup[] {
  const { taken = [], toGatewayMs = wallMs, fromMs = NOON, toMs = NOON + SPAN_MS } = over;
  const target = { deviceFromMs: wallMs(fromMs), deviceToMs: wallMs(toMs), toGatewayMs };
  const placement = new Placement(target, taken);
  const collector = new GroupCollector();
  const placed: (PastGroup | undefined)[] = [];
  for (const number of numbers) {
    const collected = collector.push(picture(number, { payloadBytes: 16, ...over }));
    if (collected !== undefined) placed.push(placement.place(collected));
  }
  const last = collector.end();
  if (last !== undefined) placed.push(placement.place(last));
  return placed.filter((each) => each !== undefined);
}

const minute = Array.from({ length: PICTURES }, (_, number) => number);
const rangesOf = (groups: readonly PastGroup[]): TimeRange[] =>
  mergeRanges(
    groups.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
    0,
  );
const at = (seconds: number): number => NOON + seconds * 1000;

describe('the place of what was fetched', () => {
  it('is all that was asked for where the server has nothing', () => {
    expect(rangesOf(place(minute))).toEqual([{ fromMs: NOON, toMs: NOON + SPAN_MS }]);
  });

  it('is the gap between recordings: from its first key frame to its end', () => {
    const taken = [
      { fromMs: NOON, toMs: at(10.4) },
      { fromMs: at(30.4), toMs: NOON + SPAN_MS },
    ];
    expect(rangesOf(place(minute, { taken }))).toEqual([{ fromMs: at(11), toMs: at(30.4) }]);
  });

  it('is none where less than a second is missing', () => {
    const taken = [
      { fromMs: NOON, toMs: at(10.9) },
      { fromMs: at(11.9), toMs: NOON + SPAN_MS },
    ];
    expect(place(minute, { taken })).toEqual([]);
  });

  it('is on the gateway’s clock, with the device’s beside it', () => {
    const [first] = place(minute, { toGatewayMs: (deviceMs) => wallMs(deviceMs + 7_000) });
    expect(first?.fromMs).toBe(NOON + 7_000);
    expect(first?.packets.map(({ bytes }) => readTimes(bytes).deviceTimeMs).slice(0, 3)).toEqual([
      NOON,
      NOON + 40,
      NOON + 80,
    ]);
  });

  it('begins with what was asked for where dates are of another clock', () => {
    const groups = place(minute, { deviceAheadMs: 8 * 3_600_000 });
    expect(rangesOf(groups)).toEqual([{ fromMs: NOON, toMs: NOON + SPAN_MS }]);
    expect(readTimes(groups[1]?.packets[0]?.bytes ?? new Uint8Array(24)).deviceTimeMs).toBe(NOON + 1_000);
  });

  it('leaves out groups that nobody has asked for', () => {
    expect(rangesOf(place(minute, { fromMs: at(20), toMs: at(40) }))).toEqual([{ fromMs: at(20), toMs: at(40) }]);
  });

  it('ends before a hole, and goes on at the next key frame behind it', () => {
    const numbers = minute.filter((number) => number < 110 || number >= 260);
    expect(rangesOf(place(numbers))).toEqual([
      { fromMs: NOON, toMs: at(4.4) },
      { fromMs: at(11), toMs: NOON + SPAN_MS },
    ]);
  });

  it('has what comes again once', () => {
    expect(rangesOf(place([...minute.slice(0, 500), ...minute.slice(250)]))).toEqual([
      { fromMs: NOON, toMs: NOON + SPAN_MS },
    ]);
    const packets = place([...minute.slice(0, 500), ...minute.slice(250)]).flatMap((group) => group.packets);
    expect(packets).toHaveLength(PICTURES);
  });

  it('keeps sound and its format with the pictures', () => {
    const collector = new GroupCollector();
    const items = [soundFormat(), ...minute.slice(0, 26).flatMap((number) => [picture(number), sound(number)])];
    const [first] = items.flatMap((item) => collector.push(item) ?? []);
    expect(first?.group.format?.isFormat).toBe(true);
    expect(first?.group.packets).toHaveLength(50);
  });

  it('never overlaps what is recorded, and misses nothing that could be decoded in a gap', () => {
    const range = fc
      .record({ from: fc.integer({ min: -5_000, max: 65_000 }), length: fc.integer({ min: 1, max: 20_000 }) })
      .map(({ from, length }) => ({ fromMs: NOON + from, toMs: NOON + from + length }));
    const groupPictures = fc.integer({ min: 1, max: 120 });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), groupPictures, (taken, groupLength) => {
        const groups = place(minute, { taken, groupPictures: groupLength });
        const all = [...taken, ...groups].map(({ fromMs, toMs }) => ({ fromMs, toMs }));
        const overlaps = groups.some((group) =>
          taken.some(({ fromMs, toMs }) => fromMs < group.toMs && toMs > group.fromMs),
        );
        expect(overlaps).toBe(false);
        const length = (ranges: readonly TimeRange[]): number =>
          ranges.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
        expect(length(mergeRanges(all, 0))).toBe(length(mergeRanges(taken, 0)) + length(groups));
        const merged = mergeRanges(taken, RANGE_JOIN_MS);
        const isFree = (fromMs: number, toMs: number): boolean =>
          !merged.some((each) => each.fromMs <= toMs && each.toMs > fromMs);
        const written = new Set(
          groups.flatMap(({ packets }) => packets.map(({ bytes }) => readTimes(bytes).deviceTimeMs)),
        );
        for (let key = 0; key < PICTURES; key += groupLength) {
          for (let number = key; number < Math.min(key + groupLength, PICTURES); number++) {
            if (!isFree(NOON + key * PICTURE_MS, NOON + number * PICTURE_MS)) break;
            expect(written.has(wallMs(NOON + number * PICTURE_MS))).toBe(true);
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
