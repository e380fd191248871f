import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type NotificationKind, notify } from '../../../shared/ui/notifications.tsx';
import { planGateway, renderPage, watchWarnings } from '../../support/browser/renderPage.tsx';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import { serverInfoFailures } from './serverInfoFailures.ts';

/** In small steps: React takes in what a timer changed at the end of each, and may start the next timer then. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) await act(() => vi.advanceTimersByTimeAsync(Math.min(STEP_MS, left)));
}
const STEP_MS = 25;

describe('a notification', () => {
  beforeEach(() => {
    // Only what notifications use: the page is set up in real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each<[NotificationKind, string]>([
    ['info', 'status'],
    ['success', 'status'],
    ['warning', 'alert'],
    ['error', 'alert'],
  ])('of kind %s is shown and read out as %s (S-1.5)', async (kind, role) => {
    planGateway();
    await renderPage(null);
    act(() => notify(kind, 'Import finished'));
    const shown = screen.getByRole(role);
    expect(shown.textContent).toBe('Import finished');
    expect(shown.dataset.kind).toBe(kind);
    await pass(6_500);
  });

  test('is there for 5000 ms and gone after 400 more (S-4.17)', async () => {
    planGateway();
    await renderPage(null);
    act(() => notify('info', 'Import finished'));
    await pass(5_000);
    expect(screen.queryByText('Import finished')).not.toBeNull();
    await pass(1_200);
    expect(screen.queryByText('Import finished')).toBeNull();
  });

  test('goes when it is clicked', async () => {
    planGateway();
    await renderPage(null);
    act(() => notify('info', 'Import finished'));
    await pass(450);
    fireEvent.click(screen.getByText('Import finished'));
    await pass(375);
    expect(screen.queryByText('Import finished')).not.toBeNull();
    await pass(325);
    expect(screen.queryByText('Import finished')).toBeNull();
  });
});

describe('server information that does not come (S-8.4)', () => {
  const cases = serverInfoFailures.flatMap((failure) =>
    (['en', 'zh-TW', 'jp'] as const).map((locale) => ({ ...failure, locale })),
  );

  test.each(cases)('$name: one error notification in the language of the page, $locale', async ({ answer, locale }) => {
    const warnings = watchWarnings();
    const gateway = planGateway();
    gateway.on('GET /api/system/server', answer);
    await renderPage(null, locale);
    const text =
      readTranslation(locale, 'Common')["Can't load server information. Reload the page to try again."] ?? '';
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([text]);
    expect(warnings).toHaveLength(1);
  });
});
