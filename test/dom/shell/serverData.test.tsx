// What the shell makes of the server's own data, and of answers without them.
import { act, cleanup } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
// Loaded on demand by the page; loaded here ahead, which a busy machine may take its time for.
import '../../../pages/shell/HomeTiles.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { HOME_PAGE } from '../../../shared/protocol/menuPages.ts';
import { wallSeconds } from '../../../shared/protocol/time.ts';
import { DEFAULT_TITLE } from '../../../shared/ui/title.ts';
import { planGateway, renderPage, settle, setWindowWidth, watchWarnings } from '../../support/browser/renderPage.tsx';
import { json } from '../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../support/fakes/fakeSocket.ts';

beforeEach(() => {
  setWindowWidth(1440);
  fakeSockets();
  vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  act(() => goToPage(HOME_PAGE));
});

async function openShell(): Promise<void> {
  await renderPage(<Shell />);
  await settle();
}

test('without system nothing of the server is shown, even when it is sent (X-11)', async () => {
  const server = { version: '9.9.9', max_license: 7, expired: wallSeconds(1_893_369_600) };
  planGateway({ user: { permission: ['event'], retentiondays: 0, expirydate: wallSeconds(0) }, server });
  await openShell();
  expect(document.querySelectorAll('[data-group]').length).toBeGreaterThan(0);
  expect(document.querySelectorAll('dl > div')).toHaveLength(0);
  expect(document.body.textContent).not.toMatch(/9\.9\.9|2029-12-31/);
});

test('the title is the product name when the server has none or does not answer (S-2.1.15, S-9.20)', async () => {
  watchWarnings();
  const answers = [{ web_title: '' }, { web_title: null }, {}].map((data) => () => json({ error: false, data }));
  for (const answer of [...answers, () => json({ error: true }, { status: 500 })]) {
    document.title = 'before';
    planGateway().on('GET /api/system/server', answer);
    await openShell();
    expect(document.title).toBe(DEFAULT_TITLE);
    cleanup();
  }
});
