import type { Edition } from '../server/device/jt808/codec/codes.ts';
import type { BodyOf } from '../server/device/jt808/codec/message.ts';
import type { CardContents } from './card/cardContents.ts';
import type { TerminalQuirks } from './quirks.ts';
import type { VehicleScript } from './script/vehicleScript.ts';

/** What sets one simulated vehicle apart from another. */
export interface VehicleProfile {
  readonly deviceId: string;
  readonly name: string;
  /** Digits of the terminal's number, without leading zeros. */
  readonly number: string;
  readonly edition: Edition;
  readonly plate: string;
  readonly channels: number;
  /** Where on the lap the vehicle started, 0 to 1. */
  readonly lapShare: number;
  /** Channels whose camera can be turned. */
  readonly ptzChannels?: readonly number[];
  /** Channels beside which there is a loudspeaker. */
  readonly talkChannels?: readonly number[];
  readonly heartbeatSeconds?: number;
  readonly positionSeconds?: number;
  /** The recordings on the card; by default, some hours up to now with gaps. */
  readonly card?: CardContents;
  readonly quirks?: TerminalQuirks;
  /** What happens to the vehicle; without a script it only drives on forever. */
  readonly script?: VehicleScript;
  /** Odometer when the terminal is started; without it positions have no mileage. */
  readonly odometerKm?: number;
  /** Texts that ask for it are read aloud to the driver. */
  readonly readsAloud?: boolean;
  /** What the terminal reports about itself, where that differs from every other simulated terminal. */
  readonly hardware?: Partial<TerminalHardware>;
}

export interface TerminalHardware {
  readonly manufacturer: string;
  readonly model: string;
  readonly hardwareVersion: string;
  /** The version with which it was delivered. */
  readonly firmwareVersion: string;
  /** Twenty digits. */
  readonly iccid: string;
}

export function hardwareOf({ number, hardware }: VehicleProfile): TerminalHardware {
  return {
    manufacturer: 'FLGLS',
    model: 'Simulator',
    hardwareVersion: 'S1',
    firmwareVersion: '1.0',
    iccid: number.padStart(20, '0'),
    ...hardware,
  };
}

const BLUE_PLATE = 1;

/** ID of the hardware, as registration, attributes and alarm marks give it. */
export function terminalIdOf({ number }: VehicleProfile): string {
  return number.slice(-7);
}

export function registrationOf(profile: VehicleProfile): BodyOf<'registration'> {
  const { manufacturer, model } = hardwareOf(profile);
  return {
    kind: 'registration',
    layout: profile.edition,
    province: 71,
    city: 0,
    manufacturer,
    model,
    terminalId: terminalIdOf(profile),
    plateColour: BLUE_PLATE,
    plate: profile.plate,
  };
}
