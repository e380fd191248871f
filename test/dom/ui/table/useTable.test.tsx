import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { type ListPage, type ListQuery, requestList } from '../../../../shared/api/list.ts';
import { Text } from '../../../../shared/protocol/api/records.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const PATH = '/api/truck/trucks';

const load = (query: ListQuery, signal: AbortSignal) => requestList(PATH, Text, query, signal);

function Trucks() {
  const [state, setState] = useState('');
  const table = useTable({ name: 'trucks', load, filters: { state }, changedBy: ['device'] });
  return (
    <>
      <input aria-label="search" value={table.typed} onChange={(event) => table.setSearch(event.target.value)} />
      <button type="button" onClick={() => setState('online')}>{`filter`}</button>
      {(['first', 'previous', 'next'] as const).map((step) => (
        <button key={step} type="button" onClick={() => table.goTo(step)}>
          {step}
        </button>
      ))}
      <button type="button" onClick={() => table.jumpToDay('2026-08-01')}>{`jump`}</button>
      <button type="button" onClick={() => table.jumpToDay('')}>{`clear`}</button>
      <button type="button" onClick={() => table.setSorting({ column: 'name', descending: true })}>{`sort`}</button>
      <button type="button" onClick={() => table.changeSetUp({ pageSize: 25 })}>{`fewer`}</button>
      <p data-testid="rows">{table.list.page.rows.join()}</p>
      <p data-testid="busy">{String(table.list.isLoading)}</p>
    </>
  );
}

const FIRST = { total: 120, hasMoreThanTotal: false, rows: ['A', 'B'], next: 'c1', previous: null };

async function openTrucks() {
  const sockets = fakeSockets();
  const gateway = planGateway();
  const answer = (page: Partial<ListPage<string>>) =>
    gateway.on(`GET ${PATH}`, { error: false, data: { ...FIRST, ...page } });
  answer({});
  await renderPage(<Frame title="Trucks">{() => <Trucks />}</Frame>);
  const requests = () => Object.fromEntries(gateway.callsOf(PATH).at(-1)?.query ?? []);
  const user = userEvent.setup();
  const click = async (...names: readonly string[]) => {
    for (const name of names) {
      await user.click(press(name));
      await settle();
    }
  };
  return { gateway, requests, user, answer, click, sockets };
}

const shown = () => screen.getByTestId('rows').textContent;
const press = (name: string) => screen.getByRole('button', { name });

describe('a table', () => {
  test('asks for a page, and for the first one again with another filter or order', async () => {
    const { requests, click } = await openTrucks();
    expect(shown()).toBe('A,B');
    expect(requests()).toEqual({ offset: '0', limit: '50' });
    await click('next');
    expect(requests()).toEqual({ after: 'c1', limit: '50' });
    await click('filter');
    expect(requests()).toEqual({ offset: '0', limit: '50', state: 'online' });
    await click('next', 'sort');
    expect(requests()).toEqual({ offset: '0', limit: '50', state: 'online', sort: 'name', descending: '1' });
  });

  test('goes on by the cursors of the pages in view, and back the same way', async () => {
    const { requests, click, answer } = await openTrucks();
    answer({ next: 'c2' });
    await click('next');
    answer({ next: null });
    await click('next');
    expect(requests()).toEqual({ after: 'c2', limit: '50' });
    const before = requests();
    await click('next');
    expect(requests()).toEqual(before);
    await click('previous');
    expect(requests()).toEqual({ after: 'c1', limit: '50' });
    await click('first');
    expect(requests()).toEqual({ offset: '0', limit: '50' });
  });

  test('asks from a day on in the order that it has, and for the first page when the day is cleared', async () => {
    const { requests, click, answer } = await openTrucks();
    await click('jump');
    expect(requests()).toEqual({ start: String(Date.UTC(2026, 7, 1)), limit: '50' });
    await click('sort', 'jump');
    const newest = { limit: '50', sort: 'name', descending: '1' };
    expect(requests()).toEqual({ ...newest, start: String(Date.UTC(2026, 7, 2) - 1) });
    answer({ previous: 'b1' });
    await click('next', 'previous');
    answer({ previous: 'b2' });
    await click('previous');
    expect(requests()).toEqual({ ...newest, before: 'b1' });
    answer({ rows: [], previous: null, next: null });
    await click('previous');
    await waitFor(() => expect(requests()).toEqual({ ...newest, offset: '0' }));
    await click('jump', 'clear');
    expect(requests()).toEqual({ ...newest, offset: '0' });
  });

  test('asks once for what was typed, when typing pauses', async () => {
    const { gateway, requests, user, click } = await openTrucks();
    await click('next');
    const before = gateway.callsOf(PATH).length;
    await user.type(screen.getByLabelText('search'), 'bus');
    await waitFor(() => expect(requests()).toEqual({ offset: '0', limit: '50', search: 'bus' }));
    expect(gateway.callsOf(PATH)).toHaveLength(before + 1);
  });

  test('goes to the last page with rows when its own has none left', async () => {
    const { requests, click, answer } = await openTrucks();
    answer({ next: 'c2' });
    await click('next');
    answer({ total: 50, rows: [], next: null });
    await click('next');
    await waitFor(() => expect(requests()).toEqual({ offset: '0', limit: '50' }));
  });

  test('reloads its own page without a flicker when somebody edits such a record', async () => {
    const { gateway, requests, answer, click, sockets } = await openTrucks();
    await click('next');
    sockets[0]?.open();
    const before = gateway.callsOf(PATH).length;
    answer({ rows: ['A', 'C'] });
    sockets[0]?.changed('link');
    sockets[0]?.changed('device');
    sockets[0]?.changed('device', 'link');
    await waitFor(() => expect(shown()).toBe('A,C'));
    expect(screen.getByTestId('busy').textContent).toBe('false');
    expect(gateway.callsOf(PATH)).toHaveLength(before + 1);
    expect(requests()).toEqual({ after: 'c1', limit: '50' });
  });

  test('keeps its rows when the gateway does not answer', async () => {
    watchWarnings();
    const { gateway, click } = await openTrucks();
    gateway.on(`GET ${PATH}`, () => new TypeError('Failed to fetch'));
    await click('next');
    expect(shown()).toBe('A,B');
    expect(screen.getByTestId('busy').textContent).toBe('false');
  });

  test('remembers how the user has set it up', async () => {
    const { requests, click } = await openTrucks();
    await click('next', 'fewer');
    expect(requests()).toEqual({ offset: '0', limit: '25' });
    const key = Object.keys(localStorage).find((each) => each.startsWith('table:trucks:'));
    expect(JSON.parse(localStorage.getItem(key ?? '') ?? '{}')).toMatchObject({ pageSize: 25 });
  });
});
