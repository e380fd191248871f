// Inside the simulator channels count from 1; a terminal that counts them from 0 does so on the wire alone.
import type { MessageBody } from '../device/jt808/codec/message.ts';
import type { Habits } from './habits.ts';

export function wireChannel(channel: number, habits: Habits | undefined): number {
  return habits?.channelsFromZero === true ? channel - 1 : channel;
}

/** An order with the channel that it means. */
export function withOwnChannel(body: MessageBody, habits: Habits | undefined): MessageBody {
  return habits?.channelsFromZero === true && 'channel' in body ? { ...body, channel: body.channel + 1 } : body;
}
