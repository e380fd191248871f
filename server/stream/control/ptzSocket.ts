import type { WebSocket } from 'ws';
import { parsePtzMessage } from '../../../shared/protocol/stream/controlMessages.ts';
import type { ControlPort, ControlTarget } from '../../device/controls.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { sendControlEvent } from '../events.ts';
import type { ControlService } from './controlService.ts';
import { faultOf } from './faults.ts';
import { PtzQueue } from './ptzQueue.ts';

export interface PtzService {
  readonly target: ControlTarget;
  readonly port: ControlPort;
  readonly onFault: OnFault;
}

/** Takes commands for one camera. If the terminal is offline or refuses, the page is told and keeps control. */
export function servePtz(socket: WebSocket, { target, port, onFault }: PtzService): ControlService {
  const queue = new PtzQueue({
    send: (message) => port.ptz(target, message),
    onFailed: (fault) => sendControlEvent(socket, { type: 'failed', ...faultOf(fault) }),
    onFault,
  });
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parsePtzMessage(String(data));
    if (message !== undefined) queue.take(message);
  });
  sendControlEvent(socket, { type: 'held' });
  return { release: () => queue.release() };
}
