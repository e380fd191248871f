// A position of one device as it is kept, in a row or in a block.

export interface StoredPosition {
  /** Positions of equal times are in the order of their numbers. */
  readonly id: number;
  readonly deviceTimeMs: number;
  readonly receivedAtMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly alarmBits: number;
  readonly statusBits: number;
  /** 0 or 1. */
  readonly late: number;
  /** JSON object of the additional items. */
  readonly extra: string;
  /** NaN: what the items say, if they do. */
  readonly mileageKm: number;
  readonly fuelLiters: number;
  readonly cabinCelsius: number;
  readonly signal: number;
}

export const FACTS = ['mileageKm', 'fuelLiters', 'cabinCelsius', 'signal'] as const;
export type Fact = (typeof FACTS)[number];

/** A place among a device's positions, in the order of its clock. */
export interface PositionPlace {
  readonly deviceTimeMs: number;
  readonly id: number;
}

export function comparePlaces(left: PositionPlace, right: PositionPlace): number {
  return left.deviceTimeMs - right.deviceTimeMs || left.id - right.id;
}
