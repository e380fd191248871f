// The facts about a device that rules get, in plain numbers: nothing here depends on the terminal's protocol.

/** A speed limit that applies where the vehicle is now. */
interface AreaLimit {
  /** The fence's number, from 1. */
  readonly area: number;
  readonly speedKmh: number;
}

export interface PositionInput {
  readonly kind: 'position';
  /** The time by which durations are measured: the gateway's clock, or the device's for a late position. */
  readonly atMs: number;
  readonly deviceTimeMs: number;
  readonly receivedAtMs: number;
  /** Whether it was recorded without a connection, and sent afterwards. */
  readonly isLate: boolean;
  readonly hasFix: boolean;
  /** Degrees, WGS 84. Without a fix they are unusable. */
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined where it isn't known. */
  readonly speedKmh: number | undefined;
  readonly ignitionOn: boolean;
  readonly fuelLiters: number | undefined;
  readonly cabinCelsius: number | undefined;
  /** Bit n: channel n + 1. Undefined: the position doesn't report it, and the last report still counts. */
  readonly videoLostBits: number | undefined;
  /** Bit n: storage n + 1. Undefined as above. */
  readonly storageFaultBits: number | undefined;
  readonly areaLimits?: readonly AreaLimit[];
}

/** The terminal has signed in, or its connection has ended. */
export interface PresenceInput {
  readonly kind: 'presence';
  /** After a restart of the gateway, devices without a connection are offline since then: before that, they had nowhere to sign in. */
  readonly atMs: number;
  readonly isOnline: boolean;
}

interface DriverCardInput {
  readonly kind: 'driver-card';
  readonly atMs: number;
  /** Whether a card is in the reader and could be read. */
  readonly isRead: boolean;
}

/** Passengers since the last such report. */
export interface PassengersInput {
  readonly kind: 'passengers';
  readonly atMs: number;
  /** End of the period by the device's clock; a repeated report is known by it. */
  readonly periodEndMs: number;
  readonly boarded: number;
  readonly alighted: number;
}

/** What is recorded of the device now. Bit n: channel n + 1. */
export interface RecordingInput {
  readonly kind: 'recording';
  readonly atMs: number;
  readonly dueBits: number;
  /** Channels of which something was written lately. */
  readonly writtenBits: number;
}

/** Time has passed; only rules that wait for it see this. */
interface TickInput {
  readonly kind: 'tick';
  readonly atMs: number;
}

export type RuleInput = PositionInput | PresenceInput | DriverCardInput | PassengersInput | RecordingInput | TickInput;
export type InputKind = RuleInput['kind'];
