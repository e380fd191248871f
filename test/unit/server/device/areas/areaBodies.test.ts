import { lineString } from '@turf/helpers';
import { pointToLineDistance } from '@turf/point-to-line-distance';
import { describe, expect, it } from 'vitest';
import { areaBody, areaKindOf, removalBody } from '../../../../../server/device/areas/areaBodies.ts';
import { areasOfReply, holdsArea } from '../../../../../server/device/areas/areaComparison.ts';
import { simplifiedTo } from '../../../../../server/device/areas/areaShape.ts';
import type { Edition } from '../../../../../server/device/jt808/codec/codes.ts';
import { encodeBody, type MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { FenceContent, LngLat } from '../../../../../shared/protocol/api/fences/fences.ts';
import { placeAt } from '../../../../../shared/protocol/fences/earth.ts';
import { FENCE_KINDS } from '../../../../../shared/protocol/fences/fenceWords.ts';
import { faultsOfShape } from '../../../../../shared/protocol/fences/geometryFaults.ts';
import { AreaTable } from '../../../../../simulator/answers/areaTable.ts';
import { aCircle, aCorridor, aFenceContent, aPolygon, aRectangle } from '../../../../support/aFence.ts';

function bodyOf(change: Partial<FenceContent>, isThere = false): MessageBody {
  const made = areaBody({ id: 7, content: aFenceContent(change) }, isThere);
  if (!made.ok) throw new Error('no body');
  return made.body;
}

const noteOf = (change: Partial<FenceContent>) => {
  const made = areaBody({ id: 7, content: aFenceContent(change) });
  return made.ok ? made.note : 'none';
};

const noRules = { ...aFenceContent().rules, enter: false, leave: false };

function hexOf(body: MessageBody, edition: Edition): string {
  return Buffer.from(encodeBody(body, edition)).toString('hex');
}

describe('a geofence as a message', () => {
  it('is a circle with its center and radius, added or changed', () => {
    const circle = bodyOf({ name: '倉庫', ...aCircle(500) });
    // Action, count, number, attributes (tell the platform of entering and leaving), latitude, longitude, radius.
    const start = '0101' + '00000007' + '0028' + '017d7840' + '073df160' + '000001f4';
    expect(hexOf(circle, '2013')).toBe(start);
    // The name in GBK.
    expect(hexOf(circle, '2019')).toBe(`${start}0004827d8eec`);
    expect(bodyOf(aCircle(), true)).toMatchObject({ action: 2 });
  });

  it('is a rectangle from north-west to south-east, on the side of the earth that it lies on', () => {
    const ring: LngLat[] = [
      [-70, -33],
      [-69, -33],
      [-69, -32],
      [-70, -32],
      [-70, -33],
    ];
    const body = bodyOf({ ...aRectangle(ring), rules: noRules });
    expect(body).toMatchObject({
      kind: 'setRectangles',
      areas: [{ id: 7, attributes: 0b1100_0000, top: 32e6, left: 70e6, bottom: 33e6, right: 69e6 }],
    });
  });

  it('has a speed limit with its duration, and a daily window where terminals have its clock', () => {
    const rules = { ...noRules, speedKmh: 60 };
    const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 450, toMinute: 1_440 }];
    const body = bodyOf({ ...aPolygon(), rules, schedule, timeZone: 'Asia/Taipei' });
    expect(body).toMatchObject({
      kind: 'setPolygon',
      attributes: 0b11,
      window: { start: '000000073000', end: '000000235959' },
      speedLimit: { maxSpeedKmh: 60, durationSeconds: 5, nightMaxSpeedKmh: 60 },
    });
  });

  it.each([
    ['another zone', [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 60 }], 'Asia/Tokyo'],
    ['some days', [{ days: [1, 2], fromMinute: 0, toMinute: 60 }], 'Asia/Taipei'],
    ['a night', [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_200, toMinute: 60 }], 'Asia/Taipei'],
  ])('holds at all times where a terminal can not be told: %s', (_what, schedule, timeZone) => {
    expect(bodyOf({ schedule, timeZone, rules: noRules })).toMatchObject({ attributes: 0 });
  });

  it('is a route with a width of at most 255 m, and its limit at each section', () => {
    const route = bodyOf({
      ...aCorridor(400, [
        [-1, 1],
        [1, -1],
      ]),
      rules: { ...noRules, enter: true, speedKmh: 50 },
    });
    expect(route).toMatchObject({
      kind: 'setRoute',
      attributes: 0b1000,
      points: [
        { id: 1, latitude: 1e6, longitude: 1e6, widthMeters: 255, attributes: 0b1010, speedLimit: { maxSpeedKmh: 50 } },
        { id: 2, latitude: 1e6, longitude: 1e6, widthMeters: 255, attributes: 0b0110 },
      ],
    });
    expect(noteOf(aCorridor(400))).toBe('narrowed');
    expect(noteOf(aCorridor(255))).toBe('');
  });

  it('can not be told on both sides of the equator or of the antimeridian', () => {
    expect(
      noteOf(
        aPolygon([
          [10, -1],
          [11, -1],
          [11, 1],
          [10, -1],
        ]),
      ),
    ).toBe('none');
    expect(
      noteOf(
        aPolygon([
          [179, 1],
          [-179, 1],
          [-179, 2],
          [179, 1],
        ]),
      ),
    ).toBe('none');
    expect(
      noteOf(
        aPolygon([
          [10, 0],
          [11, 0],
          [11, 1],
          [10, 0],
        ]),
      ),
    ).toBe('');
  });

  it('of more than 100 vertices is simplified, and stays near its outline', () => {
    const coast = Array.from({ length: 1_500 }, (_, at) =>
      placeAt([121.5, 25], 5_000 + 300 * Math.sin(at / 11) + 20 * Math.cos(at), -(at * 360) / 1_500),
    );
    const shape = aPolygon([...coast, coast[0] ?? [0, 0]]);
    expect(faultsOfShape(shape)).toEqual([]);
    const body = bodyOf(shape);
    if (body.kind !== 'setPolygon') throw new Error(body.kind);
    expect(noteOf(shape)).toBe('simplified');
    expect(body.vertices).toHaveLength(100);
    const ring = body.vertices.map(({ latitude, longitude }) => [longitude / 1e6, latitude / 1e6]);
    const line = lineString([...ring, ring[0] ?? []]);
    const off = coast.map(([lng, lat]) => pointToLineDistance([lng, lat], line, { units: 'meters' }));
    expect(Math.max(...off)).toBeLessThan(80);
    expect(encodeBody(body, '2019').length).toBeLessThan(1_023);
  });
});

describe('a simplified line', () => {
  it('keeps its ends and what matters most', () => {
    const line: LngLat[] = [
      [0, 0],
      [1, 0.001],
      [2, 1],
      [3, 0.001],
      [4, 0],
    ];
    expect(simplifiedTo(line, 3)).toEqual([
      [0, 0],
      [2, 1],
      [4, 0],
    ]);
    expect(simplifiedTo(line, 5)).toEqual(line);
  });
});

describe('what a terminal says that it has', () => {
  const shapes = [aPolygon(), aCircle(), aRectangle(), aCorridor()];
  it.each(FENCE_KINDS)('is told from what it was sent, also after its way over the wire: %s', (kind) => {
    const shape = shapes.find((each) => each.kind === kind) ?? aPolygon();
    const rules = { ...noRules, enter: true, speedKmh: 40 };
    const sent = bodyOf({ ...shape, rules });
    const table = new AreaTable('2019');
    table.obey(sent);
    const reply = table.reply({ type: areaKindOf(kind), ids: [7] });
    const areas = areasOfReply(reply, '2019') ?? [];
    expect(areas).toHaveLength(1);
    expect(holdsArea(areas, sent)).toBe(true);
    expect(holdsArea(areas, bodyOf({ ...shape, rules: noRules }))).toBe(false);
    const other = areaBody({ id: 8, content: aFenceContent({ ...shape, rules }) });
    expect(other.ok && holdsArea(areas, other.body)).toBe(false);
    table.obey(removalBody(kind, 7));
    expect(table.areas).toEqual([]);
  });

  it('is nothing where it can not be read', () => {
    expect(
      areasOfReply({ kind: 'areasReply', type: 1, count: 1, data: Uint8Array.of(1, 2, 3) }, '2019'),
    ).toBeUndefined();
  });
});
