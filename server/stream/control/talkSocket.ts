import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type Refusal, sendControlEvent } from '../events.ts';
import type { HubPacket } from '../hubPacket.ts';
import type { EndHold, Service } from './controlDesk.ts';
import type { ControlPort, ControlTarget } from './controlPort.ts';
import { faultOf } from './faults.ts';
import { readSpeech, SpeechGate } from './speechGate.ts';

export interface TalkService {
  readonly target: ControlTarget;
  readonly port: ControlPort;
  readonly connection: Duplex;
  readonly now: () => number;
  readonly end: EndHold;
}

/** Eight seconds of A-law. A conversation that is later than that is none. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** Carries speech down and the vehicle's sound up. A refusal where no line can be asked for. */
export function serveTalk(socket: WebSocket, { target, port, connection, now, end }: TalkService): Service | Refusal {
  let gate: SpeechGate | undefined;
  const line = port.talk(target, {
    opened: ({ sampleRate }) => {
      gate = new SpeechGate(sampleRate, now);
      sendControlEvent(socket, { type: 'opened', sampleRate });
    },
    packet: (packet) => {
      if (socket.readyState === socket.OPEN) relay(packet, connection);
    },
    ended: (why) => end(faultOf(why)),
  });
  if (line === 'in-use') return { code: 'in-use', message: 'Somebody else is talking to the vehicle.' };
  if (line === 'offline') return faultOf('offline');
  socket.on('message', (data, isBinary) => {
    if (gate === undefined || !isBinary || !(data instanceof Uint8Array)) return;
    const samples = gate.admit(readSpeech(data));
    if (samples.length > 0) line.speak(samples);
  });
  return { release: () => line.hangUp() };
}

function relay(packet: HubPacket, connection: Duplex): void {
  if (packet.isVideo) return;
  // What the sound is must be known when the sound goes on, so that much is sent in any case.
  if (packet.isFormat === true || connection.writableLength <= MAX_UNSENT_BYTES) connection.write(packet.frame);
}
