// What the additional items of a position mean.
import { type BoundedValue, knownValue } from '../../../../shared/protocol/positions/knownValues.ts';
import { SAFETY_KINDS, type SafetyAlarms, safetyAlarms } from './activeSafety.ts';
import { hasBit, VideoAlarmBit } from './codes.ts';
import type { PositionItem } from './messages/position.ts';

/** Present where the position has the item in a length that the standard knows; vendors use some ids for their own. */
export interface PositionDetails extends SafetyAlarms {
  readonly mileageKm?: number;
  readonly fuelLitres?: number;
  /** From the driving recorder. */
  readonly recorderSpeedKmh?: number;
  /** An alarm that wants a person's confirmation. */
  readonly alarmEventId?: number;
  /** One byte a tyre. */
  readonly tyrePressures?: readonly number[];
  readonly cabinCelsius?: number;
  readonly overspeed?: { readonly areaType: number; readonly areaId?: number };
  readonly areaCrossed?: { readonly areaType: number; readonly areaId: number; readonly isLeaving: boolean };
  readonly sectionTime?: { readonly sectionId: number; readonly seconds: number; readonly isTooLong: boolean };
  /** Bits: VideoAlarmBit. */
  readonly videoAlarms?: number;
  /** Bit n: logical channel n + 1. */
  readonly videoLostBits?: number;
  /** Bit n: logical channel n + 1. */
  readonly videoCoveredBits?: number;
  /** Bits 0 to 11 main storage 1 to 12, 12 to 15 backup storage 1 to 4. */
  readonly storageFaultBits?: number;
  /** Bits: 0 fatigue, 1 phone, 2 smoking, from 11 custom. Fatigue: 0 to 100. */
  readonly abnormalDriving?: { readonly types: number; readonly fatigue?: number };
  readonly signalBits?: number;
  /** Bits: 0 deep sleep, 1 sleep. */
  readonly ioBits?: number;
  readonly analogue?: readonly [number, number];
  readonly radioSignal?: number;
  readonly satellites?: number;
}

interface ItemMeaning {
  readonly lengths: readonly number[];
  read(view: DataView): PositionDetails;
}

const BIT_15 = 0x8000;

type NumberDetail = {
  readonly [Name in keyof PositionDetails]-?: PositionDetails[Name] extends number | undefined ? Name : never;
}[keyof PositionDetails];

/** Nothing where it can't be. */
function known(detail: NumberDetail, name: BoundedValue, value: number): PositionDetails {
  return knownValue(name, value) === undefined ? {} : { [detail]: value };
}

const MEANINGS: ReadonlyMap<number, ItemMeaning> = new Map<number, ItemMeaning>([
  [0x01, { lengths: [4], read: (view) => known('mileageKm', 'mileageKm', view.getUint32(0) / 10) }],
  [0x02, { lengths: [2], read: (view) => known('fuelLitres', 'fuelLiters', view.getUint16(0) / 10) }],
  [0x03, { lengths: [2], read: (view) => known('recorderSpeedKmh', 'speedKmh', view.getUint16(0) / 10) }],
  [0x04, { lengths: [2], read: (view) => ({ alarmEventId: view.getUint16(0) }) }],
  [0x05, { lengths: [30], read: (view) => ({ tyrePressures: byteList(view) }) }],
  [0x06, { lengths: [2], read: (view) => known('cabinCelsius', 'cabinCelsius', signAndMagnitude(view.getUint16(0))) }],
  [0x11, { lengths: [1, 5], read: readOverspeed }],
  [0x12, { lengths: [6], read: readAreaCrossed }],
  [0x13, { lengths: [7], read: readSectionTime }],
  [0x14, { lengths: [4], read: readVideoAlarms }],
  [0x15, { lengths: [4], read: (view) => ({ videoLostBits: view.getUint32(0) }) }],
  [0x16, { lengths: [4], read: (view) => ({ videoCoveredBits: view.getUint32(0) }) }],
  [0x17, { lengths: [2], read: (view) => ({ storageFaultBits: view.getUint16(0) }) }],
  // One table of the standard says two bytes, another describes three; three are sent.
  [0x18, { lengths: [2, 3], read: readAbnormalDriving }],
  [0x25, { lengths: [4], read: (view) => ({ signalBits: view.getUint32(0) }) }],
  [0x2a, { lengths: [2], read: (view) => ({ ioBits: view.getUint16(0) }) }],
  [0x2b, { lengths: [4], read: (view) => ({ analogue: [view.getUint16(2), view.getUint16(0)] }) }],
  [0x30, { lengths: [1], read: (view) => known('radioSignal', 'signal', view.getUint8(0)) }],
  [0x31, { lengths: [1], read: (view) => known('satellites', 'satellites', view.getUint8(0)) }],
]);

/**
 * The items that are understood; of several with one id the last counts, but active-safety alarms are all there.
 * `status`: of the position; without it the coordinates of those alarms have no sign.
 */
export function positionDetails(items: readonly PositionItem[], status = 0): PositionDetails {
  const details: PositionDetails = {};
  for (const { id, value } of items) {
    const meaning = MEANINGS.get(id);
    if (meaning === undefined || !meaning.lengths.includes(value.length)) continue;
    Object.assign(details, meaning.read(new DataView(value.buffer, value.byteOffset, value.byteLength)));
  }
  return Object.assign(details, safetyAlarms(items, status));
}

/** Whether an item reports an alarm that the alarm word doesn't have. */
export function hasAlarmItem(details: PositionDetails): boolean {
  const { videoAlarms = 0, videoLostBits = 0, videoCoveredBits = 0, storageFaultBits = 0, abnormalDriving } = details;
  const bits = videoAlarms | videoLostBits | videoCoveredBits | storageFaultBits | (abnormalDriving?.types ?? 0);
  return bits !== 0 || SAFETY_KINDS.some((kind) => details[kind] !== undefined);
}

/**
 * Bit n: logical channel n + 1 has no video signal. Terminals leave the item out when nothing is wrong, so a position without it says
 * that every camera is back. Undefined: item 0x14 reports a loss and the position doesn't say where, so the last answer stands.
 */
export function reportedVideoLoss(details: PositionDetails): number | undefined {
  return details.videoLostBits ?? unlessAlarm(details, VideoAlarmBit.SignalLost);
}

/** Like `reportedVideoLoss`, for the storages of item 0x17. */
export function reportedStorageFaults(details: PositionDetails): number | undefined {
  return details.storageFaultBits ?? unlessAlarm(details, VideoAlarmBit.StorageFault);
}

function unlessAlarm({ videoAlarms = 0 }: PositionDetails, bit: VideoAlarmBit): number | undefined {
  return hasBit(videoAlarms, bit) ? undefined : 0;
}

function byteList(view: DataView): number[] {
  return Array.from({ length: view.byteLength }, (_, at) => view.getUint8(at));
}

function signAndMagnitude(word: number): number {
  return (word & BIT_15) === 0 ? word : -(word & ~BIT_15);
}

function readOverspeed(view: DataView): PositionDetails {
  const areaType = view.getUint8(0);
  return { overspeed: view.byteLength === 1 ? { areaType } : { areaType, areaId: view.getUint32(1) } };
}

function readAreaCrossed(view: DataView): PositionDetails {
  return { areaCrossed: { areaType: view.getUint8(0), areaId: view.getUint32(1), isLeaving: view.getUint8(5) === 1 } };
}

function readSectionTime(view: DataView): PositionDetails {
  return {
    sectionTime: { sectionId: view.getUint32(0), seconds: view.getUint16(4), isTooLong: view.getUint8(6) === 1 },
  };
}

/** All ones are a terminal that doesn't know: most of the bits have no meaning. */
function readVideoAlarms(view: DataView): PositionDetails {
  const videoAlarms = view.getUint32(0);
  return videoAlarms === 0xffff_ffff ? {} : { videoAlarms };
}

function readAbnormalDriving(view: DataView): PositionDetails {
  const types = view.getUint16(0);
  // All ones mean the same as in item 0x14.
  if (types === 0xffff) return {};
  const fatigue = view.byteLength === 2 ? undefined : knownValue('fatigue', view.getUint8(2));
  return { abnormalDriving: fatigue === undefined ? { types } : { types, fatigue } };
}
