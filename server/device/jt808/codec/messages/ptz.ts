// JT/T 1078: turning and adjusting a camera.
import { layout, u8 } from '../fields.ts';

/** 0x9301 direction. */
export const PtzDirection = { Stop: 0, Up: 1, Down: 2, Left: 3, Right: 4 } as const;
/** Focus, iris and zoom. */
export const PtzAdjustment = { Increase: 0, Decrease: 1 } as const;
/** Wiper and infrared light. */
export const PtzSwitch = { Stop: 0, Start: 1 } as const;

const adjustment = layout({ channel: u8, value: u8 });

export const ptzMessages = {
  ptzRotate: layout({ channel: u8, direction: u8, speed: u8 }),
  /** `value`: PtzAdjustment. */
  ptzFocus: adjustment,
  ptzIris: adjustment,
  ptzZoom: adjustment,
  /** `value`: PtzSwitch. */
  ptzWiper: adjustment,
  ptzInfrared: adjustment,
};
