// Messages are written in the transaction of the event that they tell of: neither is in the database without the other.
import type { StoreDb } from '../engine/database.ts';
import { WaitingDigests } from './digestWriting.ts';
import { toMessageRow } from './messageRow.ts';
import type { EventMessage } from './plannedMessage.ts';

/** SQLite takes 32,766 parameters a statement; a message has some thirty. */
const MESSAGES_PER_STATEMENT = 500;

/** `eventIds`: of the batch's `added`, in their order. */
export async function writeMessages(
  work: StoreDb,
  messages: readonly EventMessage[],
  eventIds: readonly number[],
): Promise<void> {
  const groups = await knownGroups(work, messages);
  // A member group that was deleted meanwhile has no rules any more, and must not keep the events from being stored.
  const ofGroups = messages.filter(({ message }) => groups.has(message.memberGroup));
  const digests = new WaitingDigests(work);
  await digests.read(ofGroups);
  const rows = [];
  for (const each of ofGroups) {
    const eventId = eventIds[each.event];
    if (eventId === undefined) throw new Error('a message tells of an event that is not written with it');
    if (each.message.digestKey === '') rows.push(toMessageRow(each.message, eventId));
    else digests.add(each, eventId);
  }
  for (let start = 0; start < rows.length; start += MESSAGES_PER_STATEMENT) {
    const part = rows.slice(start, start + MESSAGES_PER_STATEMENT);
    await work.insertInto('notify_message').values(part).execute();
  }
  await digests.write();
}

async function knownGroups(work: StoreDb, messages: readonly EventMessage[]): Promise<ReadonlySet<number>> {
  const named = [...new Set(messages.map(({ message }) => message.memberGroup))];
  if (named.length === 0) return new Set();
  const groups = work.selectFrom('member_group').select('serialno').where('serialno', 'in', named);
  return new Set((await groups.execute()).map(({ serialno }) => serialno));
}
