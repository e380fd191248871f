import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { requestList } from '../../../../shared/api/list.ts';
import { closePageLive } from '../../../../shared/live/pageLive.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';

const PATH = '/api/truck/trucks';

/** The page's own socket, as a gateway that says what the test wants. */
class FakeWebSocket {
  static all: FakeWebSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: string[] = [];

  constructor() {
    FakeWebSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {}
}

const load = (query: Parameters<typeof requestList>[1], signal: AbortSignal) =>
  requestList(PATH, query, (row) => (typeof row === 'string' ? row : undefined), signal);

function Trucks() {
  const [state, setState] = useState('');
  const table = useTable({ name: 'trucks', load, filters: { state }, changedBy: ['device'] });
  return (
    <>
      <input aria-label="search" value={table.typed} onChange={(event) => table.setSearch(event.target.value)} />
      <button type="button" onClick={() => setState('online')}>{`filter`}</button>
      <button type="button" onClick={() => table.setPage(table.choice.page + 1)}>{`next`}</button>
      <button type="button" onClick={() => table.setSorting({ column: 'name', descending: true })}>{`sort`}</button>
      <button type="button" onClick={() => table.changeSetUp({ pageSize: 25 })}>{`fewer`}</button>
      <p data-testid="rows">{table.state.rows.join()}</p>
      <p data-testid="busy">{String(table.state.isLoading)}</p>
    </>
  );
}

async function openTrucks() {
  FakeWebSocket.all = [];
  vi.stubGlobal('WebSocket', FakeWebSocket);
  onTestFinished(closePageLive);
  const gateway = planGateway();
  const answer = (rows: readonly string[]) => gateway.on(`GET ${PATH}`, { error: false, data: { total: 120, rows } });
  answer(['A', 'B']);
  await renderPage(<Frame title="Trucks">{() => <Trucks />}</Frame>);
  const requests = () => Object.fromEntries(gateway.callsOf(PATH).at(-1)?.query ?? []);
  return { gateway, requests, user: userEvent.setup(), answer };
}

const shown = () => screen.getByTestId('rows').textContent;
const press = (name: string) => screen.getByRole('button', { name });

describe('a table', () => {
  test('asks for a page, and for the first one again with another filter or order', async () => {
    const { requests, user } = await openTrucks();
    expect(shown()).toBe('A,B');
    expect(requests()).toEqual({ offset: '0', limit: '50' });
    await user.click(press('next'));
    await settle();
    expect(requests()).toEqual({ offset: '50', limit: '50' });
    await user.click(press('filter'));
    await settle();
    expect(requests()).toEqual({ offset: '0', limit: '50', state: 'online' });
    await user.click(press('next'));
    await user.click(press('sort'));
    await settle();
    expect(requests()).toEqual({ offset: '0', limit: '50', state: 'online', sort: 'name', descending: '1' });
  });

  test('asks once for what was typed, when typing pauses', async () => {
    const { gateway, requests, user } = await openTrucks();
    await user.click(press('next'));
    await settle();
    const before = gateway.callsOf(PATH).length;
    await user.type(screen.getByLabelText('search'), 'bus');
    await waitFor(() => expect(requests()).toEqual({ offset: '0', limit: '50', search: 'bus' }));
    expect(gateway.callsOf(PATH)).toHaveLength(before + 1);
  });

  test('goes to the last page with rows when its own has none left', async () => {
    const { gateway, requests, user } = await openTrucks();
    await user.click(press('next'));
    await settle();
    gateway.on(`GET ${PATH}`, () => json({ error: false, data: { total: 50, rows: [] } }));
    await user.click(press('sort'));
    await user.click(press('next'));
    await waitFor(() => expect(requests().offset).toBe('0'));
  });

  test('reloads without a flicker when somebody edits such a record, once for several edits', async () => {
    const { gateway, answer } = await openTrucks();
    const socket = FakeWebSocket.all.at(-1);
    socket?.onopen?.();
    expect(socket?.sent).toEqual(['{"type":"watch","topics":["changed"]}']);
    const before = gateway.callsOf(PATH).length;
    const tell = (...records: string[]) =>
      act(() => socket?.onmessage?.({ data: JSON.stringify({ type: 'changed', records }) }));
    answer(['A', 'C']);
    tell('ship');
    tell('device');
    tell('device', 'link');
    await waitFor(() => expect(shown()).toBe('A,C'));
    expect(screen.getByTestId('busy').textContent).toBe('false');
    expect(gateway.callsOf(PATH)).toHaveLength(before + 1);
  });

  test('keeps its rows when the gateway does not answer', async () => {
    watchWarnings();
    const { gateway, user } = await openTrucks();
    gateway.on(`GET ${PATH}`, () => new TypeError('Failed to fetch'));
    await user.click(press('next'));
    await settle();
    expect(shown()).toBe('A,B');
    expect(screen.getByTestId('busy').textContent).toBe('false');
  });

  test('remembers how the user has set it up', async () => {
    const { requests, user } = await openTrucks();
    await user.click(press('fewer'));
    await settle();
    expect(requests().limit).toBe('25');
    const key = Object.keys(localStorage).find((each) => each.startsWith('table:trucks:'));
    expect(JSON.parse(localStorage.getItem(key ?? '') ?? '{}')).toMatchObject({ pageSize: 25 });
  });
});
