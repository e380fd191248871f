import type { UserEvent } from '@testing-library/user-event';

/**
 * Puts a text behind what a field holds, in one step. `type` presses a key for each letter, each of which renders the page anew: it is
 * for tests of keys.
 */
export async function insertText(
  user: Pick<UserEvent, 'click' | 'paste'>,
  field: Element,
  text: string,
): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
