import type { WebSocket } from 'ws';
import { parsePtzMessage } from '../../../shared/protocol/controlMessages.ts';
import { sendControlEvent } from '../events.ts';
import type { Service } from './controlDesk.ts';
import type { ControlPort, ControlTarget } from './controlPort.ts';
import { faultOf } from './faults.ts';
import { PtzQueue } from './ptzQueue.ts';

export interface PtzService {
  readonly target: ControlTarget;
  readonly port: ControlPort;
}

/** Takes commands for one camera. A terminal that is away or refuses is told of; the hold goes on. */
export function servePtz(socket: WebSocket, { target, port }: PtzService): Service {
  const queue = new PtzQueue({
    send: (message) => port.ptz(target, message),
    onFault: (fault) => sendControlEvent(socket, { type: 'failed', ...faultOf(fault) }),
  });
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parsePtzMessage(String(data));
    if (message !== undefined) queue.take(message);
  });
  sendControlEvent(socket, { type: 'held' });
  return { release: () => queue.release() };
}
