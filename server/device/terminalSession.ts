// What the gateway knows of a signed-in terminal, whatever protocol it speaks.
import type { StreamQuality } from '../stream/channelKey.ts';

export type CommandResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: 'timeout' | 'closed' }
  /** The terminal answered, and said no; `result` is its code from the wire. */
  | { readonly ok: false; readonly why: 'refused'; readonly result: number };

export interface LiveOrder {
  readonly channel: number;
  readonly quality: StreamQuality;
}

/** Where a terminal is told to send its media. */
export interface MediaAddress {
  readonly host: string;
  readonly port: number;
}

export interface TerminalSession {
  readonly deviceId: string;
  /** The terminal number without leading zeros: what media packets are compared with. */
  readonly terminal: string;
  /** Address of the signalling connection; media is taken from no other, unless the device's record allows it. */
  readonly remoteAddress: string;
  /** The gateway's own address that the terminal reached: it can be dialled again for media. */
  readonly localAddress: string;
  readonly relaxedMediaAddress: boolean;
  startLive(order: LiveOrder, to: MediaAddress): Promise<CommandResult>;
  stopLive(order: LiveOrder): Promise<CommandResult>;
  close(): void;
}
