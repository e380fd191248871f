// The walls on a screen that nobody touches for weeks.
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useWalls } from '../../../../pages/innerpage/dashboard/wall/useWalls.ts';
import { Notifications } from '../../../../shared/ui/notifications.tsx';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { fakeGateway } from '../../../support/fakes/fakeGateway.ts';

const PATH = '/api/dashboard/walls';
const wall = (name: string) => ({ name, cycleSeconds: 20, channels: [{ deviceid: 'A', channel: 1 }] });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('follow what is changed elsewhere, and are the same object while nothing is', async () => {
  const gateway = fakeGateway();
  gateway.on(`GET ${PATH}`, { error: false, data: [wall('Gates')] });
  const { result } = renderHook(useWalls, { wrapper: RecordsProvider });
  await pass(1);
  const first = result.current.walls;
  expect(first?.map(({ name }) => name)).toEqual(['Gates']);
  await pass(60_000);
  expect(gateway.callsOf(PATH)).toHaveLength(2);
  expect(result.current.walls).toBe(first);
  gateway.on(`GET ${PATH}`, { error: false, data: [wall('Gates'), wall('Yard')] });
  await pass(60_000);
  expect(result.current.walls?.map(({ name }) => name)).toEqual(['Gates', 'Yard']);
});

test('stay on the screen while the gateway does not answer, and are asked for again', async () => {
  const warnings = watchWarnings();
  const gateway = fakeGateway();
  gateway.on(`GET ${PATH}`, { error: false, data: [wall('Gates')] });
  const { result } = renderHook(useWalls, { wrapper: RecordsProvider });
  await pass(1);
  gateway.on(`GET ${PATH}`, { error: true, message: 'away' });
  await pass(60_000);
  expect(result.current.walls).toHaveLength(1);
  gateway.on(`GET ${PATH}`, { error: false, data: [] });
  await pass(15_000);
  expect(result.current.walls).toEqual([]);
  expect(warnings).toHaveLength(1);
});

test('that cannot be had are said to be missing once, and come when the gateway is there', async () => {
  watchWarnings();
  const gateway = fakeGateway();
  gateway.on(`GET ${PATH}`, { error: true, message: 'away' });
  const { result } = renderHook(useWalls, { wrapper: WithNotices });
  const notices = () => [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
  await pass(1);
  expect(notices()).toEqual(['away']);
  await pass(15_000);
  expect([gateway.callsOf(PATH).length, notices()]).toEqual([2, ['away']]);
  gateway.on(`GET ${PATH}`, { error: false, data: [wall('Gates')] });
  await pass(15_000);
  expect(result.current.walls).toHaveLength(1);
});

function WithNotices({ children }: { readonly children: ReactNode }) {
  return (
    <Notifications>
      <RecordsProvider>{children}</RecordsProvider>
    </Notifications>
  );
}
