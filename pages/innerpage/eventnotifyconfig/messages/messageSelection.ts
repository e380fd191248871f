// Selected messages, also those of other pages of the list. Pure.
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';

/** Those of the ids, as they are known: from the page in view, else from what was selected before. */
export function selectedMessages(
  ids: readonly (string | number)[],
  inView: readonly NotifyMessage[],
  before: readonly NotifyMessage[],
): readonly NotifyMessage[] {
  const known = new Map([...before, ...inView].map((message) => [message.id, message]));
  return ids.flatMap((id) => known.get(Number(id)) ?? []);
}

/** Each as the page in view has it now. */
export function newestMessages(
  messages: readonly NotifyMessage[],
  inView: readonly NotifyMessage[],
): readonly NotifyMessage[] {
  const known = new Map(inView.map((message) => [message.id, message]));
  return messages.map((message) => known.get(message.id) ?? message);
}

/** Ids of those that don't wait. */
export function resendable(messages: readonly NotifyMessage[]): readonly number[] {
  return messages.filter(({ state }) => state !== 'waiting').map(({ id }) => id);
}

/** Ids of those that wait. */
export function cancelable(messages: readonly NotifyMessage[]): readonly number[] {
  return messages.filter(({ state }) => state === 'waiting').map(({ id }) => id);
}
