import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { VersionPage } from '../../../../pages/innerpage/version/VersionPage.tsx';
import { BUNDLE_PATH } from '../../../../shared/protocol/api/system/bundle.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import {
  planGateway,
  renderPage,
  settle,
  watchDownloads,
  watchWarnings,
} from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const FILES = [
  { name: 'contents.json', entries: 8 },
  { name: 'log.jsonl', entries: 4_812 },
  { name: 'health.json', entries: null },
  { name: 'newer.json', entries: 3 },
];

async function open(offer: () => Response, contents = () => json({ error: false, data: { files: FILES } })) {
  const gateway = planGateway({ user: { permission: ['system', 'gmsversion'] } });
  gateway.on(`GET ${BUNDLE_PATH}`, contents);
  gateway.on(`POST ${BUNDLE_PATH}`, offer);
  fakeSockets();
  setPageQuery('?tab=support', 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  await renderPage(<VersionPage />);
  await settle();
  return userEvent.setup();
}

const rowTexts = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('what a bundle has and what it leaves out stands there before it is downloaded', async () => {
  const user = await open(() => json({ error: false, data: { address: '/api/download/abc' } }));
  await waitFor(() => expect(rowTexts().length).toBeGreaterThan(4));
  expect(rowTexts().slice(0, 4)).toEqual([
    'contents.jsonList of the files, with what was left outEntries: 8',
    'log.jsonlNewest lines of the logEntries: 4,812',
    "health.jsonHealth checks with their valuesCan't be read now",
    'newer.jsonEntries: 3',
  ]);
  screen.getByText('Positions, geofences and network addresses');
  const downloads = watchDownloads();
  await user.click(screen.getByRole('button', { name: 'Download support bundle' }));
  await waitFor(() => expect(downloads).toEqual(['/api/download/abc']));
});

test('a refusal is told', async () => {
  watchWarnings();
  const refusal = () => json({ error: true, code: 'forbidden', message: 'x' }, { status: 403 });
  const user = await open(refusal);
  const downloads = watchDownloads();
  await user.click(await screen.findByRole('button', { name: 'Download support bundle' }));
  await screen.findByRole('alert');
  expect(downloads).toEqual([]);
});
