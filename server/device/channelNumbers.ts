// Channels are counted from 1 everywhere but on the wire of terminals that count them from 0.
import type { TerminalSession } from './terminalSession.ts';

/** What the terminal calls a channel. */
export function wireChannel({ channelsFromZero }: Pick<TerminalSession, 'channelsFromZero'>, channel: number): number {
  return channelsFromZero ? channel - 1 : channel;
}

/** The channel that the terminal calls so. */
export function channelOfWire({ channelsFromZero }: Pick<TerminalSession, 'channelsFromZero'>, onWire: number): number {
  return channelsFromZero ? onWire + 1 : onWire;
}
