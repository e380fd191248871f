import type { Conversation, OpenedSender, OutgoingMessage, Transport } from '../../../server/notify/outgoing.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

export const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';

export function anOutgoing(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    key: KEY,
    destination: { to: 'service' },
    subject: 'Speeding: Bus 1',
    body: 'Bus 1 drives 94 km/h.',
    link: 'https://fleet.example/historyevent?event=7',
    severity: 'critical',
    eventAtMs: Date.UTC(2026, 10, 24, 10, 20, 30, 40),
    facts: { eventId: 7, deviceId: 'BUS1', type: 'speeding' },
    ...changes,
  };
}

export function aSender(kind: SenderKind, settings: unknown, secret = ''): OpenedSender {
  return { id: 1, name: 'Sender', kind, settings, secret };
}

export interface Sent {
  readonly outcome: string;
  readonly answer: string;
  /** Each line with its side. */
  readonly conversation: readonly string[];
  /** All that others may read of the attempt. */
  readonly told: string;
}

export interface Sending {
  readonly transport: Transport;
  readonly sender: OpenedSender;
  readonly message?: OutgoingMessage;
  readonly signal?: AbortSignal | undefined;
}

export async function send({ transport, sender, message, signal }: Sending): Promise<Sent> {
  const conversation: string[] = [];
  const note: Conversation = (side, text) => void conversation.push(`${side}: ${text}`);
  const ended = signal ?? new AbortController().signal;
  const result = await transport.send(message ?? anOutgoing(), sender, { signal: ended, note });
  return { ...result, conversation, told: [result.answer, ...conversation].join('\n') };
}
