import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { ApiResult } from '../../../shared/api/client.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { planGateway, renderPage, watchWarnings } from '../../support/browser/renderPage.tsx';

async function ask(answers: ApiResult<number>[]) {
  planGateway();
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const onConfirm = vi.fn(async () => answers.shift() ?? { ok: true as const, value: 0 });
  await renderPage(
    <ConfirmDialog
      title="Move them?"
      text="To the yard."
      action="Move"
      onConfirm={onConfirm}
      onDone={onDone}
      onClose={onClose}
    />,
  );
  return { onDone, onClose, onConfirm, user: userEvent.setup() };
}

describe('a question before a deed', () => {
  test('tells what came of it', async () => {
    const { onDone, user } = await ask([{ ok: true, value: 3 }]);
    await user.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(3));
  });

  test('stays and says what went wrong, and can be tried again', async () => {
    watchWarnings();
    const { onDone, onClose, user } = await ask([{ ok: false, kind: 'http', status: 422, message: 'Choose a group.' }]);
    await user.click(screen.getByRole('button', { name: 'Move' }));
    await screen.findByText('Choose a group.');
    expect([onDone, onClose].map((each) => each.mock.calls.length)).toEqual([0, 0]);
    await user.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  });
});
