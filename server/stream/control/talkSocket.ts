import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ControlPort, ControlTarget } from '../../device/controls.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { HubPacket } from '../../media/hubPacket.ts';
import type { Refusal } from '../../sockets/refusal.ts';
import { sendControlEvent } from '../events.ts';
import type { ControlService, ReleaseLock } from './controlService.ts';
import { faultOf } from './faults.ts';
import { readSpeech, SpeechGate } from './speechGate.ts';

export interface TalkService {
  readonly target: ControlTarget;
  readonly port: ControlPort;
  readonly connection: Duplex;
  readonly now: () => number;
  readonly end: ReleaseLock;
  readonly onLimit?: OnLimit | undefined;
}

/** Sound of the vehicle queued for the page: eight seconds of A-law. Beyond that delay a conversation isn't possible. More is dropped. */
export const TALK_QUEUE_LIMIT: Limit = { name: 'talk.queue-bytes.socket', max: 64 * 1024 };

/** Carries speech to the vehicle and its sound back. Returns a refusal if a line can't be requested. */
export function serveTalk(socket: WebSocket, service: TalkService): ControlService | Refusal {
  const { target, port, now, end, onLimit } = service;
  let gate: SpeechGate | undefined;
  const line = port.talk(target, {
    opened: ({ sampleRate }) => {
      gate = new SpeechGate(sampleRate, now, onLimit);
      sendControlEvent(socket, { type: 'opened', sampleRate });
    },
    packet: (packet) => {
      if (socket.readyState === socket.OPEN) relay(packet, service);
    },
    ended: (reason) => end(faultOf(reason)),
  });
  if (line === 'in-use') return { code: 'in-use', message: 'Another user is using this. Try again later.' };
  if (line === 'offline') return faultOf('offline');
  socket.on('message', (data, isBinary) => {
    if (gate === undefined || !isBinary || !(data instanceof Uint8Array)) return;
    const samples = gate.admit(readSpeech(data));
    if (samples.length > 0) line.speak(samples);
  });
  return { release: () => line.hangUp() };
}

function relay(packet: HubPacket, { connection, onLimit }: TalkService): void {
  if (packet.isVideo) return;
  // The format event is always sent: without it the sound that follows is unreadable.
  const isSent = packet.isFormat === true || connection.writableLength <= TALK_QUEUE_LIMIT.max;
  if (isSent) connection.write(packet.frame);
  else onLimit?.(TALK_QUEUE_LIMIT);
}
