// The parameters of a simulated terminal, which have their factory values until the platform changes them.
import type { Edition } from '../../server/device/jt808/codec/codes.ts';
import type { ParameterItem } from '../../server/device/jt808/codec/messages/parameters.ts';
import { parameterItem, parameterValue } from '../../server/device/jt808/codec/parameterValues.ts';
import { wireChannel } from '../channelQuirks.ts';
import type { AlarmMasks } from '../script/alarmMasks.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';

export const DEFAULT_HEARTBEAT_SECONDS = 30;
export const DEFAULT_POSITION_SECONDS = 5;
/** Parameters after the standard's ids: they make an answer long enough for packages, like the dumps of real terminals. */
const VENDOR_PARAMETERS = 12;
const FIRST_VENDOR_ID = 0xf000;
const VENDOR_BYTES = 100;
/** Bounds the table, since a platform could keep setting new ids. */
const MAX_PARAMETERS = 500;

export class ParameterTable {
  readonly #edition: Edition;
  readonly #profile: VehicleProfile;
  readonly #items = new Map<number, ParameterItem>();
  /** Kept because every position asks for them. */
  #alarmMasks: AlarmMasks | undefined;

  constructor(profile: VehicleProfile) {
    this.#edition = profile.edition;
    this.#profile = profile;
    this.reset();
  }

  /** Restores the parameters with which the terminal was delivered. */
  reset(): void {
    this.#items.clear();
    this.#alarmMasks = undefined;
    for (const item of [...defaultsOf(this.#profile), ...vendorParameters()]) this.#items.set(item.id, item);
  }

  /** Handles 0x8103. */
  set(items: readonly ParameterItem[]): void {
    this.#alarmMasks = undefined;
    for (const item of items) {
      if (this.#items.has(item.id) || this.#items.size < MAX_PARAMETERS) this.#items.set(item.id, item);
    }
  }

  get all(): readonly ParameterItem[] {
    return [...this.#items.values()];
  }

  /** The parameters with these ids that the terminal has. */
  some(ids: readonly number[]): readonly ParameterItem[] {
    return [...new Set(ids)].flatMap((id) => this.#items.get(id) ?? []);
  }

  get alarmMasks(): AlarmMasks {
    this.#alarmMasks ??= { alarms: this.#number('alarmMask'), videoAlarms: this.#number('videoAlarmMask') };
    return this.#alarmMasks;
  }

  /** The value of a parameter; 0 where the platform has set something other than a number. */
  #number(name: 'alarmMask' | 'videoAlarmMask'): number {
    return parameterValue(this.all, name, this.#edition) ?? 0;
  }
}

/** The limits of a city bus. */
const LIMITS = {
  alarmMask: 0,
  alarmSmsMask: 0,
  alarmPictureMask: 0,
  alarmPictureStoreMask: 0,
  keyAlarmMask: 0,
  maxSpeedKmh: 80,
  overspeedSeconds: 10,
  drivingLimitSeconds: 4 * 3_600,
  dailyDrivingLimitSeconds: 10 * 3_600,
  minRestSeconds: 20 * 60,
  maxParkingSeconds: 2 * 3_600,
  overspeedWarningDeciKmh: 50,
  fatigueWarningSeconds: 1_800,
  rolloverDegrees: 30,
  videoAlarmMask: 0,
} as const;

function defaultsOf(profile: VehicleProfile): ParameterItem[] {
  const { edition, plate, heartbeatSeconds = DEFAULT_HEARTBEAT_SECONDS } = profile;
  const { positionSeconds = DEFAULT_POSITION_SECONDS } = profile;
  const limits = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map((name) =>
    parameterItem(name, LIMITS[name], edition),
  );
  return [
    parameterItem('heartbeatSeconds', wholeSeconds(heartbeatSeconds), edition),
    parameterItem('reportDefaultSeconds', wholeSeconds(positionSeconds), edition),
    ...limits,
    parameterItem('imageAnalysis', { passengerLimit: 60, fatigueThreshold: 70 }, edition),
    parameterItem('channelTable', { audioVideo: channelsOf(profile), audio: [], video: [] }, edition),
    parameterItem('plate', plate, edition),
  ];
}

/** Parameters have no fractions; a vehicle of a test may report more often than once a second. */
function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}

function channelsOf({ channels, ptzChannels = [], quirks }: VehicleProfile) {
  return Array.from({ length: channels }, (_, index) => ({
    physicalChannel: index + 1,
    logicalChannel: wireChannel(index + 1, quirks),
    type: 0,
    ptz: ptzChannels.includes(index + 1) ? 1 : 0,
  }));
}

function vendorParameters(): ParameterItem[] {
  return Array.from({ length: VENDOR_PARAMETERS }, (_, index) => ({
    id: FIRST_VENDOR_ID + index,
    value: new Uint8Array(VENDOR_BYTES).fill(index),
  }));
}
