// What a person does to a vehicle, as orders to its terminal.
import type { PtzMessage } from '../../shared/protocol/stream/controlMessages.ts';
import type { CommandFault, ControlPort, TalkFault } from './controls.ts';
import type { DeviceRegistry } from './registry.ts';
import type { TalkEnd, TalkSource } from './talkSource.ts';
import { type CommandResult, commandFault, type PtzOrder } from './terminalSession.ts';

export function createControlPort(deps: { readonly registry: DeviceRegistry; readonly talk: TalkSource }): ControlPort {
  return {
    ptz: async ({ deviceId, channel }, message) => {
      const session = deps.registry.session(deviceId);
      return session === undefined ? 'offline' : faultOf(await session.ptz(channel, ptzOrderOf(message)));
    },
    talk: ({ deviceId, channel }, partner) => {
      const opening = deps.talk.open(deviceId, channel, {
        opened: (format) => partner.opened(format),
        packet: (packet) => partner.packet(packet),
        ended: (reason) => {
          const fault = talkFaultOf(reason);
          if (fault !== undefined) partner.ended(fault);
        },
      });
      if (!opening.ok) return opening.reason === 'busy' ? 'in-use' : 'offline';
      return { speak: (samples) => opening.line.speak(samples), hangUp: () => opening.line.close() };
    },
  };
}

/**
 * The standard gives focus, iris and zoom no end of their own; 0x9301 with direction 0 ends them where the terminal
 * keeps on until told. A larger focal distance is a picture sharp further away.
 */
export function ptzOrderOf(message: PtzMessage): PtzOrder {
  switch (message.type) {
    case 'move':
      return { kind: 'rotate', direction: message.direction, speed: message.speed };
    case 'stop':
      return { kind: 'rotate', direction: 'stop', speed: 0 };
    case 'zoom':
      return { kind: 'zoom', increase: message.direction === 'in' };
    case 'focus':
      return { kind: 'focus', increase: message.direction === 'far' };
    case 'iris':
      return { kind: 'iris', increase: message.direction === 'open' };
    case 'wiper':
    case 'infrared':
      return { kind: message.type, on: message.on };
  }
}

function faultOf(result: CommandResult): CommandFault | undefined {
  return result.ok ? undefined : commandFault(result);
}

/** Undefined where the person hung up, who need not be told. */
function talkFaultOf(reason: TalkEnd): TalkFault | undefined {
  switch (reason) {
    case 'closed':
      return undefined;
    case 'terminal':
      return 'closed';
    case 'offline':
    case 'refused':
    case 'no-answer':
    case 'codec':
      return reason;
  }
}
