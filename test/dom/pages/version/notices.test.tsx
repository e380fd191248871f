import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { VersionPage } from '../../../../pages/innerpage/version/VersionPage.tsx';
import { NOTICE_TEXT_PATH, NOTICES_PATH, type Notice } from '../../../../shared/protocol/api/system/notices.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const NOTICES: readonly Notice[] = [
  {
    name: 'better-sqlite3',
    version: '12.11.1',
    license: 'MIT',
    shippedIn: 'gateway',
    source: 'https://github.example/s',
  },
  { name: 'react', version: '19.3.1', license: 'MIT', shippedIn: 'browser', source: '' },
  { name: 'web-push', version: '3.6.7', license: 'MPL-2.0', shippedIn: 'gateway', source: '' },
];

async function open(answer: () => Response) {
  const gateway = planGateway({ user: { permission: ['system', 'gmsversion'] } });
  gateway.on(`GET ${NOTICES_PATH}`, answer);
  gateway.on(`GET ${NOTICE_TEXT_PATH}`, {
    error: false,
    data: { text: 'Permission is hereby granted\n  to anybody' },
  });
  fakeSockets();
  setPageQuery('?tab=notices', 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  await renderPage(<VersionPage />);
  await settle();
  return userEvent.setup();
}

const names = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('what is shipped is listed with its licenses, found by name or license, and read', async () => {
  const user = await open(() => json({ error: false, data: { packages: NOTICES } }));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(names()[1]).toBe('react 19.3.1MITIn the browser');
  await user.type(screen.getByLabelText('Name or license'), 'SQL mit');
  expect(names()).toEqual(['better-sqlite3 12.11.1MITOn the server']);
  await user.click(screen.getByText('better-sqlite3 12.11.1'));
  const dialog = within(await screen.findByRole('dialog', { name: 'better-sqlite3 12.11.1' }));
  expect((await dialog.findByText(/^Permission is hereby/)).textContent).toBe(
    'Permission is hereby granted\n  to anybody',
  );
  dialog.getByText('https://github.example/s');
  await user.click(dialog.getByText('Close'));
  await user.type(screen.getByLabelText('Name or license'), 'x');
  screen.getByText('Nothing found.');
});

test('a server that was never built says so', async () => {
  watchWarnings();
  await open(() => json({ error: true, code: 'not-built', message: 'x' }, { status: 503 }));
  await screen.findByText('The notices are made when Fleetglass is built. Run npm run build, then try again.');
});
