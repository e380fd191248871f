// What happens to a simulated vehicle, by the clock of its terminal.
import type { SafetyAlarm, SafetyKind } from '../../server/device/jt808/codec/activeSafety.ts';
import type { AlarmBit, StatusBit, VideoAlarmBit } from '../../server/device/jt808/codec/codes.ts';
import type { DriverCard } from '../../server/device/jt808/codec/messages/driver.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';

export type VehicleScript = readonly ScriptStep[];
export type ScriptStep = ConditionStep | SafetyStep | MomentStep;

export interface Timing {
  /**
   * Time since the terminal was started. Below 0: before that; with an absence that ends at 0 the terminal starts with positions to
   * send later.
   */
  readonly atSeconds: number;
  /** Interval at which it happens again; if left out, it happens once. */
  readonly everySeconds?: number;
}

/** Timing of a step that has an end. */
export interface TimingWithEnd extends Timing {
  readonly forSeconds?: number;
}

/** A condition that each position reports as long as it lasts. */
export type ConditionStep = Timing & {
  /** If left out, it lasts to the end. An alarm that a terminal keeps up until it is acknowledged ends with the acknowledgement too. */
  readonly forSeconds?: number;
} & Condition;

export type Condition =
  /** Bits of the alarm word, and the details that items 0x11 to 0x13 give of them. */
  | ({ readonly kind: 'alarm'; readonly bits: readonly AlarmBit[] } & AlarmDetails)
  /** Items 0x14 to 0x18. Details in the finer items set their bits in item 0x14 automatically. */
  | ({ readonly kind: 'video-alarm'; readonly bits?: readonly VideoAlarmBit[] } & VideoDetails)
  /** Bits of the status word, such as ignition (on in a vehicle that drives) and doors. */
  | { readonly kind: 'status'; readonly on?: readonly StatusBit[]; readonly off?: readonly StatusBit[] }
  /**
   * The route is driven this many times as fast as usual; at 0 the vehicle stands. It brakes and accelerates for `rampSeconds` (20
   * by default) at the beginning and at the end, which `forSeconds` includes.
   */
  | { readonly kind: 'pace'; readonly pace: number; readonly rampSeconds?: number }
  /**
   * Distance to the right of the route, below 0 to the left; the vehicle turns off and comes back within `rampSeconds` (60 by
   * default) each.
   */
  | { readonly kind: 'detour'; readonly meters: number; readonly rampSeconds?: number }
  /** Speed reported in place of the speed at which the route is driven. */
  | { readonly kind: 'speed'; readonly speedKmh: number }
  /** Changes evenly to `to` within `forSeconds`, and stays there until the gauge's next step. */
  | { readonly kind: 'gauge'; readonly gauge: Gauge; readonly from: number; readonly to?: number }
  /** No network: the terminal stores its positions and sends them afterwards (0x0704). */
  | { readonly kind: 'absence' };

export type Gauge = 'fuelLitres' | 'cabinCelsius';

type AlarmDetails = Pick<PositionDetails, 'overspeed' | 'areaCrossed' | 'sectionTime'>;

export interface VideoDetails {
  /** Channels and storages count from 1; storages 13 to 16 are the backup ones. */
  readonly lostChannels?: readonly number[];
  readonly coveredChannels?: readonly number[];
  readonly faultyStorages?: readonly number[];
  readonly abnormalDriving?: PositionDetails['abnormalDriving'];
}

/** An active-safety alarm (T/JSATL 12). With `forSeconds` it is reported when it begins and when it ends, otherwise once. */
export type SafetyStep = Timing & {
  readonly kind: 'safety';
  readonly forSeconds?: number;
  readonly alarm: SafetyContent;
  /** The files that the terminal has of the alarm, available on request. */
  readonly files?: AlarmFilePlan;
};

/** Fields of every alarm, which the terminal fills in. */
type CommonField =
  | 'alarmId'
  | 'flag'
  | 'speedKmh'
  | 'altitudeMeters'
  | 'latitude'
  | 'longitude'
  | 'time'
  | 'vehicleState'
  | 'mark';

/** Fields that are left out are 0. */
export type SafetyContent =
  | ({ readonly item: 'adas' } & ContentOf<'adas', 'type'>)
  | ({ readonly item: 'driverMonitoring' } & ContentOf<'driverMonitoring', 'type'>)
  | ({ readonly item: 'tyres' } & ContentOf<'tyres', 'readings'>)
  | ({ readonly item: 'blindSpot' } & ContentOf<'blindSpot', 'type'>)
  | ({ readonly item: 'drivingStyle' } & ContentOf<'drivingStyle', 'type'>);

type ContentOf<Kind extends SafetyKind, Needed extends keyof SafetyAlarm<Kind>> = Pick<SafetyAlarm<Kind>, Needed> &
  Partial<Omit<SafetyAlarm<Kind>, CommonField | Needed>>;

export interface AlarmFilePlan {
  readonly channel: number;
  readonly pictures: number;
  /** Seconds of video before and after the alarm; 0: none. */
  readonly videoSeconds: number;
}

/** An event that is reported once, in a message of its own. */
export type MomentStep = Timing & Moment;

type Moment =
  /** 0x0800: a picture was taken for this reason, and can be requested. */
  | { readonly kind: 'media-event'; readonly event: number; readonly channel: number }
  /** 0x0702; without a card: it was taken out. */
  | { readonly kind: 'driver-card'; readonly card?: DriverCard }
  /** 0x1005, counted over the seconds before. */
  | {
      readonly kind: 'passengers';
      readonly boarded: number;
      readonly alighted: number;
      readonly overSeconds: number;
    }
  /** 0x0301: the driver chose an entry of the menu of 0x8301. */
  | { readonly kind: 'driver-event'; readonly id: number }
  /** 0x0900. */
  | { readonly kind: 'passthrough'; readonly type: number; readonly data: Uint8Array };
