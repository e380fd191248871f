// Selected messages, also those of other pages of the list. Pure.
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';

/** The messages with these IDs, from the page in view or else from the previous selection. */
export function selectedMessages(
  ids: readonly (string | number)[],
  inView: readonly NotifyMessage[],
  before: readonly NotifyMessage[],
): readonly NotifyMessage[] {
  const known = new Map([...before, ...inView].map((message) => [message.id, message]));
  return ids.flatMap((id) => known.get(Number(id)) ?? []);
}

/** The messages, each as the page in view has it now. */
export function newestMessages(
  messages: readonly NotifyMessage[],
  inView: readonly NotifyMessage[],
): readonly NotifyMessage[] {
  const known = new Map(inView.map((message) => [message.id, message]));
  return messages.map((message) => known.get(message.id) ?? message);
}

/** IDs of the messages that aren't waiting. */
export function resendable(messages: readonly NotifyMessage[]): readonly number[] {
  return messages.filter(({ state }) => state !== 'waiting').map(({ id }) => id);
}

/** IDs of the waiting messages. */
export function cancelable(messages: readonly NotifyMessage[]): readonly number[] {
  return messages.filter(({ state }) => state === 'waiting').map(({ id }) => id);
}
