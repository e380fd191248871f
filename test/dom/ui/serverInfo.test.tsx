import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { useServerInfo } from '../../../shared/ui/serverInfo.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../support/browser/renderPage.tsx';
import { json } from '../../support/fakes/fakeGateway.ts';
import { SERVER_PATH } from '../../support/fakes/fakeUsers.ts';

function Shown() {
  const { info, failed, refetch } = useServerInfo();
  return (
    <button type="button" onClick={refetch}>
      {`${info?.web_title ?? 'unknown'}, ${failed ? 'failed' : 'fine'}`}
    </button>
  );
}

describe('the server information of a page (S-7.1)', () => {
  test('is asked for once, and again on request', async () => {
    const gateway = planGateway({ server: { web_title: 'Before' } });
    await renderPage(<Shown />);
    expect(gateway.callsOf(SERVER_PATH)).toHaveLength(1);
    gateway.on(`GET ${SERVER_PATH}`, { error: false, data: { web_title: 'After' } });
    await userEvent.click(screen.getByRole('button', { name: 'Before, fine' }));
    await settle();
    expect(screen.getByRole('button').textContent).toBe('After, fine');
  });

  test('keeps what was known when a later call fails, and says that it failed (S-8.3)', async () => {
    watchWarnings();
    const gateway = planGateway({ server: { web_title: 'Known' } });
    await renderPage(<Shown />);
    gateway.on(`GET ${SERVER_PATH}`, () => json({ error: true }, { status: 500 }));
    await userEvent.click(screen.getByRole('button'));
    await settle();
    expect(screen.getByRole('button').textContent).toBe('Known, failed');
  });
});
