import { screen } from '@testing-library/react';

/** The kind of the notification that says this, once it is shown. */
export async function noticeOf(text: string | RegExp): Promise<string | undefined> {
  const said = await screen.findByText(text, { selector: '[data-kind] span' });
  return said.closest<HTMLElement>('[data-kind]')?.dataset.kind;
}
