// Maps event types back to the alarm bits that they stand for.
import { ALARM_TYPES, VIDEO_ALARM_TYPES } from '../../../shared/protocol/events/alarmTypes.ts';
import { acknowledgedAlarms, type Edition, VideoAlarmBit } from '../../device/jt808/codec/codes.ts';

/** Two masks, like those in resource lists. */
export interface AlarmBits {
  /** Bits of the alarm word. */
  readonly alarms: number;
  /** Bits of item 0x14. */
  readonly videoAlarms: number;
}

/**
 * The bits of a type that a terminal keeps up until they are acknowledged; both masks are 0 for every other type, whose alarms end by
 * themselves. `alarms` is what 0x8203 takes. It has no bits for video alarms, so those only go with the answer to the position
 * (0x8001, GeneralResult.AlarmProcessed).
 */
export function confirmBitsOf(type: string, edition: Edition): AlarmBits {
  return {
    alarms: (bitOf(ALARM_TYPES[edition], type) & acknowledgedAlarms(edition)) >>> 0,
    videoAlarms: bitOf(VIDEO_ALARM_TYPES, type) & ACKNOWLEDGED_VIDEO_ALARMS,
  };
}

const ACKNOWLEDGED_VIDEO_ALARMS = 1 << VideoAlarmBit.SpecialRecordingFull;

/** Mask with the bit of the type; 0 for a type without a bit. */
function bitOf(types: readonly (string | undefined)[], type: string): number {
  const bit = types.indexOf(type);
  return bit < 0 ? 0 : 1 << bit;
}
