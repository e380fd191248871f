// Inside the simulator channels count from 1; a terminal that counts them from 0 does so on the wire alone.
import type { MessageBody } from '../server/device/jt808/codec/message.ts';
import type { TerminalQuirks } from './quirks.ts';

export function wireChannel(channel: number, quirks: TerminalQuirks | undefined): number {
  return quirks?.channelsFromZero === true ? channel - 1 : channel;
}

/** An order with the channel that it means. */
export function withOwnChannel(body: MessageBody, quirks: TerminalQuirks | undefined): MessageBody {
  return quirks?.channelsFromZero === true && 'channel' in body ? { ...body, channel: body.channel + 1 } : body;
}
