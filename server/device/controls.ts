// What the device side does for a person who acts on a vehicle. The stream side knows nothing of terminals beyond it.
import type { PtzMessage } from '../../shared/protocol/stream/controlMessages.ts';
import type { HubPacket } from '../media/hubPacket.ts';

export interface ControlTarget {
  readonly deviceId: string;
  readonly channel: number;
}

/** Why a terminal did not do what it was told. */
export type CommandFault = 'offline' | 'refused' | 'no-answer';

/** Why a talk line ended: `closed` by the terminal, `codec` where it speaks one that cannot be made here. */
export type TalkFault = CommandFault | 'codec' | 'closed';

export interface TalkPartner {
  /** Speech is to come as mono samples at this rate. */
  opened(format: { readonly sampleRate: number }): void;
  /** The vehicle's sound. */
  packet(packet: HubPacket): void;
  /** Once, and the last call; not after `hangUp`. */
  ended(reason: TalkFault): void;
}

interface TalkHandle {
  /** Signed 16-bit mono samples; dropped until the line is open. */
  speak(samples: Int16Array): void;
  hangUp(): void;
}

export interface ControlPort {
  /** Undefined once the terminal has done it. Commands go out in the order in which they are given. */
  ptz(target: ControlTarget, message: PtzMessage): Promise<CommandFault | undefined>;
  talk(target: ControlTarget, partner: TalkPartner): TalkHandle | 'offline' | 'in-use';
}
