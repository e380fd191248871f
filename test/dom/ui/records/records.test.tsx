// How a page loads records: what it asks, when it asks again, and what it knows meanwhile.
import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ApiFailure, type ApiResult, requestJson } from '../../../../shared/api/client.ts';
import { PageErrorBoundary } from '../../../../shared/ui/frame/PageErrorBoundary.tsx';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import { type RecordOptions, useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { planGateway, renderPage, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { fakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const AWAY: ApiFailure = { ok: false, kind: 'network', message: 'away' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms = 1) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Calls that the test answers one by one. */
function fakeLoad() {
  const calls: { readonly signal: AbortSignal; readonly answer: (result: ApiResult<string>) => Promise<void> }[] = [];
  const load = (signal: AbortSignal) =>
    new Promise<ApiResult<string>>((resolve) => {
      const answer = async (result: ApiResult<string>): Promise<void> => {
        resolve(result);
        await pass();
      };
      calls.push({ signal, answer });
    });
  const latest = () => calls.at(-1) ?? expect.fail('nothing was asked');
  return { calls, load, latest };
}

const fine = (value: string): ApiResult<string> => ({ ok: true, value });

function renderRecord(options: Omit<RecordOptions<string>, 'key'> & { readonly key?: string }) {
  const use = ({ key }: { readonly key: string }) => useRecord({ ...options, key: [key] });
  return renderHook(use, { wrapper: RecordsProvider, initialProps: { key: options.key ?? 'a' } });
}

describe('a record', () => {
  test('is asked for at once, and kept while it is asked again, without a sign of it', async () => {
    const { load, latest, calls } = fakeLoad();
    const { result } = renderRecord({ load });
    expect(result.current).toMatchObject({ value: undefined, failure: undefined, isLoading: true });
    await latest().answer(fine('one'));
    expect(result.current).toMatchObject({ value: 'one', isLoading: false });
    act(() => result.current.reload());
    await pass();
    expect(result.current).toMatchObject({ value: 'one', isLoading: false });
    await latest().answer(fine('two'));
    expect(result.current.value).toBe('two');
    expect(calls).toHaveLength(2);
  });

  test('is kept when it cannot be had, with the reason, until it can', async () => {
    const { load, latest } = fakeLoad();
    const { result } = renderRecord({ load });
    await latest().answer(AWAY);
    expect(result.current).toMatchObject({ value: undefined, failure: AWAY, isLoading: false });
    act(() => result.current.reload());
    await pass();
    expect(result.current).toMatchObject({ failure: AWAY, isLoading: true });
    await latest().answer(fine('one'));
    expect(result.current).toMatchObject({ value: 'one', failure: undefined });
    act(() => result.current.reload());
    await latest().answer(AWAY);
    expect(result.current).toMatchObject({ value: 'one', failure: AWAY });
  });

  test.each([undefined, fine('old')])(
    'is what the last call says, not one that answers late: after %o',
    async (first) => {
      const { load, latest, calls } = fakeLoad();
      const { result } = renderRecord({ load });
      if (first !== undefined) await latest().answer(first);
      act(() => result.current.reload());
      const late = latest();
      act(() => result.current.reload());
      expect(late.signal.aborted).toBe(true);
      await latest().answer(fine('new'));
      await late.answer(fine('late'));
      expect(result.current).toMatchObject({ value: 'new', isLoading: false });
      expect(calls.at(-1)?.signal.aborted).toBe(false);
    },
  );

  test('is not that of another key, unless the page wants it', async () => {
    const strict = fakeLoad();
    const { result, rerender } = renderRecord({ load: strict.load });
    await strict.latest().answer(fine('of a'));
    rerender({ key: 'b' });
    expect(result.current).toMatchObject({ value: undefined, isLoading: true });
    await strict.latest().answer(fine('of b'));
    expect(result.current.value).toBe('of b');

    const keeping = fakeLoad();
    const kept = renderRecord({ load: keeping.load, keepsOther: true });
    await keeping.latest().answer(fine('of a'));
    kept.rerender({ key: 'b' });
    await pass();
    expect(kept.result.current).toMatchObject({ value: 'of a', isLoading: true });
    await keeping.latest().answer(AWAY);
    expect(kept.result.current).toMatchObject({ value: 'of a', failure: AWAY, isLoading: false });
  });

  test('is asked for anew by what is shown later, and no call outlives what it was for', async () => {
    const { load, latest, calls } = fakeLoad();
    const first = renderRecord({ load });
    await latest().answer(fine('one'));
    act(() => first.result.current.reload());
    first.unmount();
    expect(latest().signal.aborted).toBe(true);
    await pass();
    const { result } = renderRecord({ load });
    expect(result.current.value).toBeUndefined();
    expect(calls).toHaveLength(3);
  });

  test('may be nothing at all', async () => {
    const load = async (): Promise<ApiResult<undefined>> => ({ ok: true, value: undefined });
    const { result } = renderHook(() => useRecord({ key: ['nothing'], load }), { wrapper: RecordsProvider });
    await pass();
    expect(result.current).toMatchObject({ value: undefined, failure: undefined, isLoading: false });
  });
});

describe('a record that changes by itself', () => {
  /** Whether the page is in view, as the browser says. */
  async function see(state: 'visible' | 'hidden'): Promise<void> {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    await act(async () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await pass();
  }
  afterEach(() => {
    vi.restoreAllMocks();
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });

  test('is asked for now and then while the page is in view, and when it comes into view', async () => {
    const load = vi.fn(async () => fine('x'));
    renderRecord({ load, everyMs: 10_000 });
    await pass(1);
    expect(load).toHaveBeenCalledTimes(1);
    await pass(20_100);
    expect(load).toHaveBeenCalledTimes(3);
    await see('hidden');
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(3);
    await see('visible');
    expect(load).toHaveBeenCalledTimes(4);
  });

  test('is asked for in its own time after a failure, and stays meanwhile', async () => {
    const answers: ApiResult<string>[] = [fine('x'), AWAY, AWAY, fine('y')];
    const load = vi.fn(async () => answers.shift() ?? AWAY);
    const { result } = renderRecord({ load, everyMs: 60_000, retryMs: 15_000 });
    await pass(60_100);
    expect(result.current).toMatchObject({ value: 'x', failure: AWAY });
    await pass(30_100);
    expect([load.mock.calls.length, result.current.value]).toEqual([4, 'y']);
    await pass(30_000);
    expect(load).toHaveBeenCalledTimes(4);
  });

  test('that nobody polls is left alone when the page comes into view', async () => {
    const load = vi.fn(async () => fine('x'));
    renderRecord({ load });
    await see('hidden');
    await see('visible');
    await pass(600_000);
    expect(load).toHaveBeenCalledTimes(1);
  });
});

describe('live topics', () => {
  const PATHS = { bus: '/api/bus', role: '/api/role', plain: '/api/plain' } as const;

  /** A page with three records: of devices and groups, of roles, and one that no edit concerns. */
  async function openPage() {
    const sockets = fakeSockets();
    const gateway = fakeGateway();
    for (const path of Object.values(PATHS)) gateway.on(`GET ${path}`, { error: false, data: path });
    const load = (path: string) => (signal: AbortSignal) => requestJson<string>(path, { signal });
    renderHook(
      () => {
        useRecord({ key: ['bus'], load: load(PATHS.bus), changedBy: ['device', 'group'] });
        useRecord({ key: ['role'], load: load(PATHS.role), changedBy: ['role'] });
        useRecord({ key: ['plain'], load: load(PATHS.plain) });
      },
      { wrapper: RecordsProvider },
    );
    await pass();
    sockets[0]?.open();
    const counts = () => Object.values(PATHS).map((path) => gateway.callsOf(path).length);
    return { sockets, counts };
  }

  test('reload what shows the kind and nothing else, once for several edits, over one line', async () => {
    const { sockets, counts } = await openPage();
    expect(sockets.map(({ sent }) => sent)).toEqual([['{"type":"watch","topics":["changed"]}']]);
    expect(counts()).toEqual([1, 1, 1]);
    sockets[0]?.changed('link', 'session');
    await pass(600);
    expect(counts()).toEqual([1, 1, 1]);
    sockets[0]?.changed('device');
    await pass(100);
    sockets[0]?.changed('group', 'link');
    expect(counts()).toEqual([1, 1, 1]);
    await pass(500);
    expect(counts()).toEqual([2, 1, 1]);
    sockets[0]?.changed('role');
    sockets[0]?.changed('device');
    await pass(500);
    expect(counts()).toEqual([3, 2, 1]);
  });

  test('reload all that they concern when a broken line is back', async () => {
    const { sockets, counts } = await openPage();
    sockets[0]?.break();
    await pass(1_000);
    expect(counts()).toEqual([1, 1, 1]);
    sockets[1]?.open();
    await pass(500);
    expect(counts()).toEqual([2, 2, 1]);
  });

  test('are not asked for where no record changes by them, nor once none is shown', async () => {
    const sockets = fakeSockets();
    const plain = renderRecord({ load: async () => fine('x') });
    await pass();
    expect(sockets).toHaveLength(0);
    plain.unmount();
    const gateway = fakeGateway();
    gateway.on('GET /api/role', { error: false, data: 'x' });
    const load = (signal: AbortSignal) => requestJson<string>('/api/role', { signal });
    const shown = renderRecord({ load, changedBy: ['role'] });
    await pass();
    sockets[0]?.open();
    sockets[0]?.changed('role');
    shown.unmount();
    await pass(600);
    expect(gateway.callsOf('/api/role')).toHaveLength(1);
  });
});

describe('what fails', () => {
  beforeEach(() => vi.useRealTimers());

  test('is a value where it can be expected', async () => {
    watchWarnings();
    const gateway = fakeGateway();
    gateway.on('GET /api/x', () => json({ error: true, code: 'forbidden', message: 'x' }, { status: 403 }));
    const load = (signal: AbortSignal) => requestJson<string>('/api/x', { signal });
    const { result } = renderRecord({ load });
    await waitFor(() => expect(result.current.failure).toMatchObject({ status: 403, code: 'forbidden' }));
    expect(result.current.isLoading).toBe(false);
  });

  test('is a fault of the page where it is a bug', async () => {
    watchWarnings();
    planGateway();
    await renderPage(
      <PageErrorBoundary>
        <RecordsProvider>
          <Buggy />
        </RecordsProvider>
      </PageErrorBoundary>,
    );
    await screen.findByText(/a bug of ours/);
  });
});

function Buggy(): ReactNode {
  useRecord({
    key: ['buggy'],
    load: async () => {
      throw new TypeError('a bug of ours');
    },
  });
  return 'shown';
}
