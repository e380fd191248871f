import type { WallMs } from '../../../shared/protocol/time.ts';

export interface Position {
  readonly deviceId: string;
  /** Incarnation of the device whose terminal reported it: another device may have the id by the time it is stored. */
  readonly incarnation: number;
  /** The device's clock. */
  readonly deviceTimeMs: WallMs;
  /** The gateway's clock. */
  readonly receivedAtMs: WallMs;
  /** Degrees, WGS 84, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined: not known. The same applies to the next ones. */
  readonly altitudeM: number | undefined;
  readonly speedKmh: number | undefined;
  /** Clockwise from north. */
  readonly headingDeg: number | undefined;
  readonly alarmBits: number;
  readonly statusBits: number;
  /** The report's additional items. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Recorded without a connection, and sent afterwards. Left out: reported immediately. */
  readonly isLate?: boolean;
  /** Values from the items; left out where the items don't have them. */
  readonly mileageKm?: number | undefined;
  readonly fuelLiters?: number | undefined;
  readonly cabinCelsius?: number | undefined;
  /** Strength of the radio signal, item 0x30. */
  readonly signal?: number | undefined;
}
