// JT/T 1078: item 0x14 says what is wrong, the items 0x15 to 0x18 name the channel, storage or behavior.
//
// The standard keeps these alarms up until the condition is over, like those of the alarm word, but terminals leave out the items when
// nothing is wrong. So a condition that a position leaves out has ended: an event never stays open because its terminal no longer sends
// the item. If a terminal sends the items in every other position only, its events just end and return within the merge window, which
// continues them.
import { VIDEO_ALARM_TYPES } from '../../../shared/protocol/events/alarmTypes.ts';
import { hasBit, VideoAlarmBit } from '../../device/jt808/codec/codes.ts';
import type { PositionDetails } from '../../device/jt808/codec/positionItems.ts';
import { setBits } from './setBits.ts';
import { Origin, type Signal } from './signal.ts';

export const VIDEO_ORIGINS =
  Origin.VideoAlarms | Origin.VideoLoss | Origin.VideoCovered | Origin.Storage | Origin.AbnormalDriving;

/** The item with details of a bit of item 0x14. */
interface FinerItem {
  readonly bit: VideoAlarmBit;
  readonly origin: Origin;
  readonly name: 'videoLostBits' | 'videoCoveredBits' | 'storageFaultBits' | 'abnormalDriving';
  readonly signals: (details: PositionDetails) => Signal[];
}

const FINER_ITEMS: readonly FinerItem[] = [
  {
    bit: VideoAlarmBit.SignalLost,
    origin: Origin.VideoLoss,
    name: 'videoLostBits',
    signals: ({ videoLostBits }) => unitSignals('video-loss', Origin.VideoLoss, videoLostBits),
  },
  {
    bit: VideoAlarmBit.Covered,
    origin: Origin.VideoCovered,
    name: 'videoCoveredBits',
    signals: ({ videoCoveredBits }) => unitSignals('video-covered', Origin.VideoCovered, videoCoveredBits),
  },
  {
    // Units 1 to 12 are the main storages, 13 to 16 the backup ones.
    bit: VideoAlarmBit.StorageFault,
    origin: Origin.Storage,
    name: 'storageFaultBits',
    signals: ({ storageFaultBits }) => unitSignals('storage-fault', Origin.Storage, storageFaultBits),
  },
  {
    bit: VideoAlarmBit.AbnormalDriving,
    origin: Origin.AbnormalDriving,
    name: 'abnormalDriving',
    signals: drivingSignals,
  },
];

/** A bit of item 0x14 stands for the device as a whole, unless the finer item names the unit. */
export function videoSignals(details: PositionDetails): Signal[] {
  let unnamed = details.videoAlarms ?? 0;
  const named = FINER_ITEMS.flatMap(({ bit, signals }) => {
    const found = signals(details);
    if (found.length > 0) unnamed &= ~(1 << bit);
    return found;
  });
  const whole = setBits(unnamed).flatMap((bit) => {
    const type = VIDEO_ALARM_TYPES[bit];
    return type === undefined ? [] : [held(type, 0, Origin.VideoAlarms)];
  });
  return [...named, ...whole];
}

/**
 * Origins of the finer items that are left out while their bits in item 0x14 are set: the terminal says that the condition lasts, but not
 * where, so the position ends nothing there. It ends when the bit goes, or item 0x14 with it.
 */
export function silentVideoOrigins(details: PositionDetails): number {
  const { videoAlarms = 0 } = details;
  const silent = FINER_ITEMS.filter(({ bit, name }) => details[name] === undefined && hasBit(videoAlarms, bit));
  return silent.reduce((origins, { origin }) => origins | origin, 0);
}

function unitSignals(type: string, origin: Origin, bits = 0): Signal[] {
  return setBits(bits).map((bit) => held(type, bit + 1, origin));
}

function held(type: string, unit: number, origin: Origin): Signal {
  return { type, unit, area: 0, form: 'held', origin };
}

/** Bits of item 0x18; 3 to 10 are reserved. */
const FATIGUE = 0b001;
const PHONE = 0b010;
const SMOKING = 0b100;
const CUSTOM = 0xf800;
const MAX_FATIGUE = 100;

function drivingSignals({ abnormalDriving }: PositionDetails): Signal[] {
  if (abnormalDriving === undefined) return [];
  const { types, fatigue } = abnormalDriving;
  const signals: Signal[] = [];
  const add = (mask: number, type: string, measured: Pick<Signal, 'value'> = {}): void => {
    if ((types & mask) !== 0) signals.push({ ...held(type, 0, Origin.AbnormalDriving), ...measured });
  };
  add(FATIGUE, 'fatigue', fatigue !== undefined && fatigue <= MAX_FATIGUE ? { value: fatigue } : {});
  add(PHONE, 'phone-use');
  add(SMOKING, 'smoking');
  add(CUSTOM, 'abnormal-driving');
  return signals;
}
