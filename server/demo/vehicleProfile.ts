import type { Edition } from '../device/jt808/codec/codes.ts';
import type { BodyOf } from '../device/jt808/codec/message.ts';
import type { CardContents } from './cardContents.ts';
import type { TerminalQuirks } from './quirks.ts';

/** What sets one simulated vehicle apart from another. */
export interface VehicleProfile {
  readonly deviceId: string;
  readonly name: string;
  /** Digits of the terminal's number, without leading zeros. */
  readonly number: string;
  readonly edition: Edition;
  readonly plate: string;
  readonly channels: number;
  /** Where on the lap it started, 0 to 1. */
  readonly lapShare: number;
  /** Channels whose camera can be turned. */
  readonly ptzChannels?: readonly number[];
  /** Channels beside which there is a loudspeaker. */
  readonly talkChannels?: readonly number[];
  readonly heartbeatSeconds?: number;
  readonly positionSeconds?: number;
  /** What it has recorded; unless said, some hours up to now with gaps. */
  readonly card?: CardContents;
  readonly quirks?: TerminalQuirks;
}

const BLUE_PLATE = 1;

export function registrationOf(profile: VehicleProfile): BodyOf<'registration'> {
  return {
    kind: 'registration',
    layout: profile.edition,
    province: 71,
    city: 0,
    manufacturer: 'FLGLS',
    model: 'Simulator',
    terminalId: profile.number.slice(-7),
    plateColour: BLUE_PLATE,
    plate: profile.plate,
  };
}
