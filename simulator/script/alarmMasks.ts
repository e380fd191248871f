import { hasBit, VideoAlarmBit } from '../../server/device/jt808/codec/codes.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';
import type { ScriptState } from './scriptState.ts';

/** Alarms that the platform does not want to hear of (parameters 0x0050 and 0x007A). */
export interface AlarmMasks {
  /** Bits: AlarmBit. */
  readonly alarms: number;
  /** Bits: VideoAlarmBit. */
  readonly videoAlarms: number;
}

export function withoutMasked(state: ScriptState, masks: AlarmMasks): ScriptState {
  const alarm = (state.alarm & ~masks.alarms) >>> 0;
  return { ...state, alarm, details: withoutMaskedVideo(state.details, masks.videoAlarms) };
}

/** A masked bit takes the item with it that says more of it. */
function withoutMaskedVideo(details: PositionDetails, mask: number): PositionDetails {
  if (mask === 0) return details;
  const { videoAlarms, videoLostBits, videoCoveredBits, storageFaultBits, abnormalDriving, ...others } = details;
  const isSaid = (bit: VideoAlarmBit): boolean => !hasBit(mask, bit);
  return {
    ...others,
    ...(videoAlarms !== undefined && { videoAlarms: (videoAlarms & ~mask) >>> 0 }),
    ...(videoLostBits !== undefined && isSaid(VideoAlarmBit.SignalLost) && { videoLostBits }),
    ...(videoCoveredBits !== undefined && isSaid(VideoAlarmBit.Covered) && { videoCoveredBits }),
    ...(storageFaultBits !== undefined && isSaid(VideoAlarmBit.StorageFault) && { storageFaultBits }),
    ...(abnormalDriving !== undefined && isSaid(VideoAlarmBit.AbnormalDriving) && { abnormalDriving }),
  };
}
