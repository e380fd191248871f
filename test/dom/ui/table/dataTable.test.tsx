import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApiResult } from '../../../../shared/api/client.ts';
import type { ListPage, ListPlace, ListQuery } from '../../../../shared/api/list.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { FIRST_SET_UP, writeSetUp } from '../../../../shared/ui/table/tableMemory.ts';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import {
  planGateway,
  renderPage,
  settle,
  setWindowWidth,
  watchWarnings,
} from '../../../support/browser/renderPage.tsx';
import { FULL_USER } from '../../../support/fakes/fakeUsers.ts';

interface Truck {
  readonly id: number;
  readonly name: string;
  readonly state: 'online' | 'offline';
}

const TRUCKS = Array.from({ length: 120 }, (_, at): Truck => {
  const state = at % 10 === 0 ? 'online' : 'offline';
  return { id: at, name: `Truck ${String(at).padStart(3, '0')}`, state };
});

/** A cursor is the number of the row that it stands before; a day's, that of 2026-08-01, is row 60. */
function rowsAt(place: ListPlace, limit: number, count: number): readonly [number, number] {
  const numberIn = (cursor: string): number => Number(cursor.replace('at-', ''));
  if ('before' in place) return [Math.max(0, numberIn(place.before) - limit), numberIn(place.before)];
  const from = 'offset' in place ? place.offset : 'after' in place ? numberIn(place.after) : 60;
  return [from, Math.min(from + limit, count)];
}

/** The gateway's part: it filters, sorts and cuts as it is asked, and remembers what it was asked. */
function fakeLoader(isLong: boolean) {
  const requests: ListQuery[] = [];
  let failure: Extract<ApiResult<never>, { ok: false }> | undefined;
  let held = Promise.resolve();
  const load = async (query: ListQuery): Promise<ApiResult<ListPage<Truck>>> => {
    requests.push(query);
    await held;
    if (failure !== undefined) return failure;
    const { place, limit, search = '', sort, descending = false, filters = {} } = query;
    const found = TRUCKS.filter(({ name }) => name.includes(search.trim())).filter(
      ({ state }) => !filters.state || filters.state === state,
    );
    const sorted = sort === 'name' && descending ? found.toReversed() : found;
    const [from, to] = rowsAt(place, limit, sorted.length);
    const [next, previous] = [to < sorted.length ? `at-${to}` : null, from > 0 ? `at-${from}` : null];
    const rows = sorted.slice(from, to);
    return { ok: true, value: { total: found.length, hasMoreThanTotal: isLong, rows, next, previous } };
  };
  const fail = (next: typeof failure) => {
    failure = next;
  };
  /** Answers nothing until the result is called. */
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { load, fail, hold, last: () => requests.at(-1) };
}

const COLUMNS: readonly Column<Truck>[] = [
  { name: 'name', title: 'Name', text: ({ name }) => name, sortable: true },
  { name: 'state', title: 'State', text: ({ state }) => state },
  { name: 'addedAtMs', title: 'Added', text: () => '2026-08-01', sortable: true, isTimestamp: true },
];

interface TrucksProps {
  readonly load: ReturnType<typeof fakeLoader>['load'];
  readonly onOpen: (truck: Truck) => void;
  readonly onStop: (truck: Truck) => void;
}

function Trucks({ load, onOpen, onStop }: TrucksProps) {
  const [state, setState] = useState<Truck['state'] | ''>('');
  const table = useTable<Truck>({
    name: 'trucks',
    load,
    filters: { state },
    sorting: { column: 'name', descending: false },
  });
  return (
    <DataTable
      table={table}
      label="Trucks"
      columns={COLUMNS}
      rowId={({ id }) => id}
      onOpen={onOpen}
      actions={(truck) => [
        { icon: <i />, label: `Stop ${truck.name}`, onClick: () => onStop(truck) },
        { icon: <i />, label: `Start ${truck.name}`, onClick: () => undefined, inMenu: true },
      ]}
      filters={
        <FilterSelect
          label="State"
          value={state}
          onChange={setState}
          options={[
            { value: 'online', label: 'Online' },
            { value: 'offline', label: 'Offline' },
          ]}
        />
      }
      onClearFilters={() => setState('')}
      emptyHint="There is no truck."
    />
  );
}

/** A window of a phone: there the grid shows every row of the page, as it needs no measure of its box. */
async function openTrucks({ pageSize = 25, isLong = false } = {}) {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  planGateway();
  // Every row costs: most tests need no more of them.
  writeSetUp(FULL_USER.username, 'trucks', { ...FIRST_SET_UP, pageSize });
  const loader = fakeLoader(isLong);
  const [onOpen, onStop] = [vi.fn(), vi.fn()];
  await renderPage(<Frame title="Trucks">{() => <Trucks load={loader.load} onOpen={onOpen} onStop={onStop} />}</Frame>);
  await waitFor(() => expect(names()[0]).toBe('Truck 000'));
  return { loader, onOpen, onStop, user: userEvent.setup() };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const names = () => rows().map((row) => /Truck \d{3}/.exec(row.textContent ?? '')?.[0]);
// By its label: a role is worked out for every element of every row.
const nextPage = () => screen.getByLabelText('Go to next page');
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;
const search = () => screen.getByLabelText('Search table');
const foot = () => document.querySelector('.MuiTablePagination-displayedRows')?.textContent;

describe('a table of records', () => {
  test('names the menu of each row by its row', async () => {
    await openTrucks();
    const menus = [...document.querySelectorAll('.MuiDataGrid-row [aria-haspopup=menu]')];
    expect(menus.slice(0, 2).map((menu) => menu.getAttribute('aria-label'))).toEqual([
      'More actions for Truck 000',
      'More actions for Truck 001',
    ]);
  });

  test('shows a page, and the next when it is asked for', async () => {
    const { loader, user } = await openTrucks(FIRST_SET_UP);
    expect(loader.last()).toMatchObject({ place: { offset: 0 }, limit: 50, sort: 'name', descending: false });
    expect(names()).toHaveLength(50);
    expect(foot()).toBe('1–50 of 120');
    await user.click(nextPage());
    await waitFor(() => expect(names()[0]).toBe('Truck 050'));
    expect(foot()).toBe('51–100 of 120');
    await user.click(nextPage());
    await waitFor(() => expect(names()).toHaveLength(20));
    expect(foot()).toBe('101–120 of 120');
    expect(isDisabled(nextPage())).toBe(true);
  });

  test('says that there are more than were counted', async () => {
    const { user } = await openTrucks({ isLong: true });
    expect(foot()).toBe('1–25 of more than 120');
    await user.click(nextPage());
    await waitFor(() => expect(names()[0]).toBe('Truck 025'));
    expect(foot()).toBe('26–50 of more than 120');
    const [first, previous] = [screen.getByLabelText('Go to first page'), screen.getByLabelText('Go to previous page')];
    expect([first, previous].map(isDisabled)).toEqual([false, false]);
    await user.click(previous);
    await waitFor(() => expect(names()[0]).toBe('Truck 000'));
    expect([first, previous].map(isDisabled)).toEqual([true, true]);
  });

  test('can be shown from a day on while it is sorted by a moment, and from its beginning again', async () => {
    const { loader, user } = await openTrucks();
    expect(screen.queryByRole('group', { name: 'Jump to date' })).toBeNull();
    await user.selectOptions(screen.getByLabelText('Sort by'), '+addedAtMs');
    const picker = await screen.findByRole('group', { name: 'Jump to date' });
    await user.click(within(picker).getByRole('spinbutton', { name: 'Year' }));
    await user.keyboard('20260801');
    await waitFor(() => expect(names()[0]).toBe('Truck 060'));
    expect(loader.last()?.place).toEqual({ start: Date.UTC(2026, 7, 1) });
    expect(foot()).toBe('From 2026-08-01');
    await user.click(screen.getByLabelText('Go to previous page'));
    await waitFor(() => expect(names()[0]).toBe('Truck 035'));
    await user.click(within(picker.parentElement as HTMLElement).getByTitle('Clear'));
    await waitFor(() => expect(foot()).toBe('1–25 of 120'));
    expect(names()[0]).toBe('Truck 000');
  });

  test('sorts from the first page on', async () => {
    const { loader, user } = await openTrucks();
    await user.click(nextPage());
    await waitFor(() => expect(names()[0]).toBe('Truck 025'));
    const order = screen.getByLabelText('Sort by');
    await user.selectOptions(order, within(order).getByRole('option', { name: /Name.*descending/ }));
    await waitFor(() => expect(names()[0]).toBe('Truck 119'));
    expect(loader.last()).toMatchObject({ place: { offset: 0 }, sort: 'name', descending: true });
    expect(foot()).toBe('1–25 of 120');
  });

  test('searches and filters, and takes both back at once', async () => {
    const { loader, user } = await openTrucks();
    await user.click(nextPage());
    await user.type(search(), '01');
    await waitFor(() => expect(foot()).toBe('1–12 of 12'));
    expect(names().slice(0, 2)).toEqual(['Truck 001', 'Truck 010']);
    await user.selectOptions(screen.getByLabelText('State'), 'online');
    await waitFor(() => expect(names()).toEqual(['Truck 010']));
    await user.clear(search());
    await user.type(search(), 'zz');
    await screen.findByText('No results. Change the search or filters.');
    const last = { place: { offset: 0 }, search: 'zz', filters: { state: 'online' } };
    await waitFor(() => expect(loader.last()).toMatchObject(last));
    await user.click(screen.getByText('Clear all'));
    await waitFor(() => expect(foot()).toBe('1–25 of 120'));
    expect((search() as HTMLInputElement).value).toBe('');
  });

  test('opens a row, and does what its button says without opening it', async () => {
    const { onOpen, onStop, user } = await openTrucks();
    await user.click(within(rows()[2] as HTMLElement).getByText('Truck 002'));
    expect(onOpen).toHaveBeenCalledWith(TRUCKS[2]);
    await user.click(screen.getByLabelText('Stop Truck 003'));
    expect(onStop).toHaveBeenCalledWith(TRUCKS[3]);
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  test('keeps its rows when a page cannot be had, says so, and asks again', async () => {
    watchWarnings();
    const { loader, user } = await openTrucks();
    loader.fail({ ok: false, kind: 'http', status: 500, code: 'internal', message: 'x' });
    await user.click(nextPage());
    await screen.findByText(/The data shown may be out of date\./);
    expect(names()[0]).toBe('Truck 000');
    loader.fail(undefined);
    await user.click(screen.getByText('Try again'));
    await waitFor(() => expect(names()[0]).toBe('Truck 025'));
    await settle();
    expect(screen.queryByText(/The data shown may be out of date\./)).toBeNull();
  });

  test('says that it waits, to everybody', async () => {
    const { loader, user } = await openTrucks();
    const busy = () => document.querySelector('[aria-busy]')?.getAttribute('aria-busy');
    expect(busy()).toBe('false');
    const release = loader.hold();
    await user.click(nextPage());
    await waitFor(() => expect(busy()).toBe('true'));
    const bars = document.querySelectorAll('[role=grid] [role=progressbar]');
    expect(bars.length).toBeGreaterThan(0);
    // What draws the wait is no child that a grid may have.
    for (const bar of bars) expect(bar.closest('[aria-hidden=true]')).not.toBeNull();
    release();
    await waitFor(() => expect(busy()).toBe('false'));
  });

  test('says that it waits from the first letter of a search on', async () => {
    await openTrucks();
    // At once: the pause of typing ends by a timer of its own.
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '1' } });
    expect(document.querySelector('[aria-busy]')?.getAttribute('aria-busy')).toBe('true');
    await waitFor(() => expect(document.querySelector('[aria-busy]')?.getAttribute('aria-busy')).toBe('false'));
    expect(names()[0]).toContain('1');
  });
});
