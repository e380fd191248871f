import { wireChannel } from '../channelNumbers.ts';
import type { ResourceItem } from '../jt808/codec/messages/recordings.ts';
import { recordingsQuery } from '../jt808/orders.ts';
import type { PlaybackOrder, QueryResult, TerminalSession } from '../terminalSession.ts';

/** Asks a terminal what it has recorded of a channel. */
export async function askRecordings(
  session: TerminalSession,
  order: PlaybackOrder,
): Promise<QueryResult<readonly ResourceItem[]>> {
  const channel = wireChannel(session, order.channel);
  const listed = await session.query(recordingsQuery({ ...order, channel }), 'resources');
  if (!listed.ok) return listed;
  const { items } = listed.answer;
  // In the question 0 stands for all channels: a terminal whose first channel it is may answer either.
  return { ok: true, answer: channel === 0 ? items.filter((item) => item.channel === 0) : items };
}
