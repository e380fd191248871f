// Which numbers of a position, and of the alarms in it, can be. Terminals send all ones, or the largest number with a sign, for what they don't know, and makers have
// numbers of their own for it: what is out of bounds is unknown, and neither 0 nor the number. Pure.

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Within the bounds, and yet no value. */
  readonly not?: readonly number[];
}

/** What is kept, where a column takes no null, of an altitude, a speed or a heading that isn't known: a number that is out of all their bounds. */
export const UNKNOWN_NUMBER = -1;

const BOUNDS = {
  /** Nothing that reports here is faster. */
  speedKmh: { min: 0, max: 300 },
  /** Clockwise from north; some terminals send 360 for north. */
  headingDeg: { min: 0, max: 360 },
  /** All ones are -1 with a sign: a receiver that is at that altitude says another one a moment later. */
  altitudeM: { min: -500, max: 9_000, not: [UNKNOWN_NUMBER] },
  /** No vehicle drives as far. */
  mileageKm: { min: 0, max: 10_000_000 },
  /** Tanks of dumpers hold as much; 0x7FFF tenths are more. */
  fuelLiters: { min: 0, max: 3_200 },
  cabinCelsius: { min: -60, max: 125 },
  /** The standard says no unit. Modems mean by 99 that they don't know; other terminals count to 100. */
  signal: { min: 0, max: 100 },
  satellites: { min: 0, max: 100 },
  fatigue: { min: 0, max: 100 },
  /** The time to what is ahead. The standard's field ends at 100 tenths; 0 says that nothing was measured. */
  headwaySeconds: { min: 0.1, max: 10 },
  speedLimitKmh: { min: 1, max: 200 },
  /** Tires of the heaviest vehicles have half of it. */
  tirePressureKpa: { min: 0, max: 2_000 },
  /** The number of a tire, counted from 0. */
  tire: { min: 0, max: 100 },
  /** The threshold of an acceleration, where 0 is none. Nothing on wheels reaches ten times the standard gravity. */
  accelerationCentiG: { min: 1, max: 1_000 },
  engineRpm: { min: 1, max: 20_000 },
  /** A duration or its threshold, where 0 is none. */
  durationSeconds: { min: 1, max: 86_400, not: [0x7fff, 0xffff] },
  /** The number of an area, a route or a section. */
  areaId: { min: 1, max: 0xffff_fffe, not: [0x7fff_ffff] },
} as const satisfies Readonly<Record<string, Bounds>>;

export type BoundedValue = keyof typeof BOUNDS;

/** Undefined where it is not known. NaN is not. */
export function knownValue(name: BoundedValue, value: number | undefined): number | undefined {
  const { min, max, not = [] }: Bounds = BOUNDS[name];
  return value !== undefined && value >= min && value <= max && !not.includes(value) ? value : undefined;
}

/** NaN for what is not known; itself where all are. */
export function knownColumn(name: string, values: Float64Array): Float64Array {
  if (!isBounded(name)) return values;
  const isKnown = (value: number): boolean => knownValue(name, value) !== undefined;
  return values.every(isKnown) ? values : values.map((value) => (isKnown(value) ? value : Number.NaN));
}

function isBounded(name: string): name is BoundedValue {
  return Object.hasOwn(BOUNDS, name);
}
