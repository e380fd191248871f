// Positions as the store keeps them, of any kind at all and as vehicles send them.
import fc from 'fast-check';
import type { StoredPosition } from '../../server/store/fleet/blocks/storedPosition.ts';

const anyNumber = fc.double({ noNaN: true });
const wireItem = fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 40 }));
const wireItems = fc
  .array(wireItem, { maxLength: 6 })
  .map((items) => Object.fromEntries(items.map(([id, value]) => [id, Buffer.from(value).toString('hex')])));
const extra = fc.oneof(
  { weight: 6, arbitrary: wireItems.map((items) => JSON.stringify(items)) },
  fc.constant('{}'),
  fc.constant('{"1":"AB"}'),
  fc.constant('{"1": "ab"}'),
  fc.constant('{"48":"3"}'),
  fc.constant('{"2":"00ff","1":"00000001"}'),
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
);
const fact = fc.oneof(fc.constant(Number.NaN), anyNumber);

/** Any position, even the oddest: what no terminal sends must come back as well. */
export const anyStoredPosition: fc.Arbitrary<StoredPosition> = fc.record({
  id: fc.maxSafeNat(),
  deviceTimeMs: fc.oneof(fc.maxSafeInteger(), fc.integer(), anyNumber),
  receivedAtMs: fc.oneof(fc.maxSafeInteger(), fc.integer(), anyNumber),
  latitude: fc.oneof(fc.integer({ min: -90_000_000, max: 90_000_000 }).map(microdegrees), anyNumber),
  longitude: fc.oneof(fc.integer({ min: -180_000_000, max: 180_000_000 }).map(microdegrees), anyNumber),
  altitudeM: fc.oneof(fc.integer({ min: -32_768, max: 32_767 }), anyNumber),
  speedKmh: fc.oneof(fc.nat({ max: 65_535 }).map(tenths), anyNumber),
  headingDeg: fc.oneof(fc.nat({ max: 65_535 }), anyNumber),
  alarmBits: fc.nat({ max: 0xffff_ffff }),
  statusBits: fc.nat({ max: 0xffff_ffff }),
  late: fc.nat({ max: 1 }),
  extra,
  mileageKm: fact,
  fuelLiters: fact,
  cabinCelsius: fact,
  signal: fact,
});

function microdegrees(value: number): number {
  return value === 0 ? 0 : value / 1e6;
}

function tenths(value: number): number {
  return value / 10;
}

const START_MS = Date.UTC(2026, 5, 1);

/** A vehicle that drives about and says so each 10 s, with odometer, fuel, signal and satellites. Always the same ones. */
export function drivenPositions(count: number, fromMs = START_MS): StoredPosition[] {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const state = {
    latitude: 25.04,
    longitude: 121.56,
    speedKmh: 40,
    headingDeg: 90,
    tenthsKm: 123_456,
    tenthsLiter: 620,
  };
  return Array.from({ length: count }, (_, at) => {
    state.speedKmh = Math.min(110, Math.max(0, state.speedKmh + (random() - 0.5) * 12));
    state.headingDeg = (state.headingDeg + Math.round((random() - 0.5) * 24) + 360) % 360;
    const metres = state.speedKmh / 0.36;
    const radians = (state.headingDeg * Math.PI) / 180;
    state.latitude += (metres * Math.cos(radians)) / 111_000;
    state.longitude += (metres * Math.sin(radians)) / 100_700;
    state.tenthsKm += metres / 100;
    state.tenthsLiter -= 0.02;
    return drivenPosition(state, { at, deviceTimeMs: fromMs + at * 10_000, random });
  });
}

interface Driven {
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly tenthsKm: number;
  readonly tenthsLiter: number;
}

interface Moment {
  readonly at: number;
  readonly deviceTimeMs: number;
  readonly random: () => number;
}

function drivenPosition(state: Driven, { at, deviceTimeMs, random }: Moment): StoredPosition {
  const signal = 18 + Math.floor(random() * 12);
  const items = {
    1: hex(state.tenthsKm, 4),
    2: hex(state.tenthsLiter, 2),
    37: hex(0, 4),
    48: hex(signal, 1),
    49: hex(8 + random() * 6, 1),
  };
  return {
    // The positions of a thousand other vehicles lie between.
    id: at * 1_000 + Math.floor(random() * 1_000),
    deviceTimeMs,
    receivedAtMs: deviceTimeMs + 200 + Math.floor(random() * 900),
    latitude: Math.round(state.latitude * 1e6) / 1e6,
    longitude: Math.round(state.longitude * 1e6) / 1e6,
    altitudeM: Math.round(700 + 20 * Math.sin(at / 50) + random() * 3),
    speedKmh: Math.round(state.speedKmh * 10) / 10,
    headingDeg: state.headingDeg,
    alarmBits: 0,
    statusBits: 3,
    late: 0,
    extra: JSON.stringify(items),
    mileageKm: Math.floor(state.tenthsKm) / 10,
    fuelLiters: Math.floor(state.tenthsLiter) / 10,
    cabinCelsius: Number.NaN,
    signal,
  };
}

function hex(value: number, bytes: number): string {
  return Math.floor(value)
    .toString(16)
    .padStart(2 * bytes, '0');
}
