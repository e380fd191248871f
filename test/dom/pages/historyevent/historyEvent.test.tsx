import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { EVENT_ACT_PATH, EVENT_FILTERS_PATH, EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { settle, setWindowWidth, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { eventRow } from '../../../support/eventRow.ts';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { address, asked, askedFor, cell, EVENTS, openHistory, planEvent, shownIds } from './history.tsx';

/** Days in Taipei, of which the present one is the 24th. */
const DAY_24_MS = Date.UTC(2026, 10, 23, 16);
const DAY_MS = 86_400_000;

beforeEach(() => setWindowWidth(1440));

async function pick(field: string, option: string): Promise<void> {
  await userEvent.click(screen.getByRole('combobox', { name: field }));
  await userEvent.click(screen.getByRole('option', { name: option }));
  await userEvent.keyboard('{Escape}');
  await settle();
}

async function goBackTo(query: string): Promise<void> {
  window.history.replaceState(null, '', `${window.location.pathname}?${query}`);
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await settle();
}

describe('the address', () => {
  test('at first shows the last seven days of the user, the newest first', async () => {
    const gateway = await openHistory();
    expect(shownIds()).toEqual(['30', '20', '10']);
    expect(asked(gateway)).toEqual({
      offset: '0',
      limit: '50',
      sort: 'time',
      descending: '1',
      from: String(DAY_24_MS - 6 * DAY_MS),
    });
    expect(address()).toBe('');
  });

  test('of a link says what is asked for, and what the fields show', async () => {
    const query =
      'period=yesterday&severities=critical,major&types=speeding&devices=BUS1&late=0&sort=severity&order=asc';
    const gateway = await openHistory({ query });
    expect(asked(gateway)).toMatchObject({
      from: String(DAY_24_MS - DAY_MS),
      to: String(DAY_24_MS),
      severities: 'critical,major',
      types: 'speeding',
      devices: 'BUS1',
      late: '0',
      sort: 'severity',
    });
    expect(asked(gateway)).not.toHaveProperty('descending');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Period' }).value).toBe('yesterday');
    // What stands in the second row of fields is not hidden.
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Reported' }).value).toBe('0');
    screen.getByRole('button', { name: 'More filters (2)' });
    screen.getByRole('button', { name: /^Speeding/ });
  });

  test('follows each choice by a step of the history, and Back takes it back', async () => {
    const gateway = await openHistory();
    const entries = window.history.length;
    await pick('Severity', 'Critical');
    await askedFor(gateway, { severities: 'critical' });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'Today');
    await askedFor(gateway, { from: String(DAY_24_MS) });
    expect(address()).toBe('period=today&severities=critical');
    expect(window.history.length).toBe(entries + 2);
    await goBackTo('severities=critical');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Period' }).value).toBe('7d');
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(address()).toBe('');
  });

  test('takes what is typed once typing is over, and as no step of the history', async () => {
    const gateway = await openHistory();
    const entries = window.history.length;
    // At once: a slow machine would take a pause between two letters for the end of typing.
    await userEvent.click(screen.getByRole('searchbox', { name: 'Search table' }));
    await userEvent.paste('bus 1 ');
    await askedFor(gateway, { search: 'bus 1' });
    expect([address(), window.history.length]).toEqual(['search=bus+1', entries]);
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search table' }).value).toBe('bus 1 ');
    await goBackTo('');
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search table' }).value).toBe('');
  });

  test('has the order of the table', async () => {
    const gateway = await openHistory();
    await userEvent.click(screen.getByRole('columnheader', { name: /^Severity/ }));
    await askedFor(gateway, { sort: 'severity' });
    expect(address()).toBe('sort=severity&order=asc');
    await userEvent.click(screen.getByRole('columnheader', { name: /^Severity/ }));
    await waitFor(() => expect(address()).toBe('sort=severity'));
  });
});

describe('the filters', () => {
  test('take a category of types at once', async () => {
    const gateway = await openHistory();
    await pick('Type', 'All of Safety');
    await askedFor(gateway, { types: 'emergency,speeding' });
    await pick('Type', 'Emergency (SOS)');
    await askedFor(gateway, { types: 'speeding' });
  });

  test('say days of a range, of which the last is in it to its end', async () => {
    const gateway = await openHistory({ query: 'from=2026-11-20&to=2026-11-21' });
    expect(asked(gateway)).toMatchObject({ from: String(DAY_24_MS - 4 * DAY_MS), to: String(DAY_24_MS - 2 * DAY_MS) });
    expect(screen.getAllByRole('group', { name: 'Start date' })).toHaveLength(1);
  });

  test('are put away on a phone, and count what they hide', async () => {
    setWindowWidth(360);
    await openHistory({ query: 'severities=critical' });
    expect(screen.queryByRole('combobox', { name: 'Severity' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'More filters (1)' }));
    screen.getByRole('combobox', { name: 'Severity' });
  });

  test('find nothing, which is said, with the way back', async () => {
    await openHistory({ query: 'severities=critical', events: [] });
    screen.getByText('No results. Change the search or filters.');
    await userEvent.click(screen.getAllByRole('button', { name: /^Clear/ })[0] ?? document.body);
    expect(address()).toBe('');
    screen.getByText('No events in this period.');
  });
});

describe('an event', () => {
  test('opens beside the table, is in the address, and closes by Escape', async () => {
    await openHistory();
    await userEvent.click(cell(/^Speeding ×3/));
    const panel = screen.getByRole('region', { name: 'Speeding' });
    expect(address()).toBe('event=20');
    const entries = window.history.length;
    await userEvent.click(within(panel).getByRole('button', { name: 'Next event' }));
    expect([address(), window.history.length]).toEqual(['event=10', entries]);
    fireEvent.keyDown(screen.getByRole('region', { name: 'Video loss' }), { key: 'Escape' });
    expect(address()).toBe('');
    expect(screen.queryByRole('region', { name: 'Video loss' })).toBeNull();
  });

  test('of a link need not be in the list', async () => {
    const gateway = await openHistory({ events: [] });
    planEvent(gateway, eventRow({ id: 77, type: 'emergency', severity: 'critical' }));
    await goBackTo('event=77');
    await screen.findByRole('region', { name: 'Emergency (SOS)' });
  });

  test('that is not there, or not to be seen, says so and can be left', async () => {
    watchWarnings();
    const gateway = await openHistory({ events: [] });
    gateway.on(`GET ${EVENTS_PATH}/78`, () =>
      json({ error: true, code: 'no-such-event', message: 'x' }, { status: 404 }),
    );
    await goBackTo('event=78');
    await screen.findByText("Event not found, or you don't have access to it.");
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(address()).toBe('');
  });
});

describe('selected events', () => {
  test('are answered at once as the page knows them now, and the table asks again', async () => {
    const gateway = await openHistory();
    const boxes = screen.getAllByRole('checkbox', { name: /Select row/ });
    await userEvent.click(boxes[0] ?? document.body);
    await userEvent.click(boxes[1] ?? document.body);
    const bar = screen.getByRole('region', { name: 'Selected events' });
    within(bar).getByText('Selected: 2');
    const calls = gateway.callsOf(EVENTS_PATH).length;
    await userEvent.click(within(bar).getByRole('button', { name: 'Acknowledge' }));
    await screen.findByText('Event acknowledged.');
    // One of them was acknowledged already.
    expect(gateway.callsOf(EVENT_ACT_PATH).at(-1)?.body).toEqual({
      act: 'acknowledge',
      events: [{ id: 30, version: 1 }],
    });
    await waitFor(() => expect(gateway.callsOf(EVENTS_PATH).length).toBe(calls + 1));
    // The list still has the old version; the answer of the act counts.
    await userEvent.click(within(bar).getByRole('button', { name: 'Add note' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'seen');
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add note' }));
    await waitFor(() => expect(gateway.callsOf(EVENT_ACT_PATH)).toHaveLength(2));
    expect(gateway.callsOf(EVENT_ACT_PATH).at(-1)?.body).toMatchObject({
      events: [
        { id: 30, version: 2 },
        { id: 20, version: 4 },
      ],
    });
  });

  test('are let go with another filter', async () => {
    await openHistory();
    await userEvent.click(screen.getAllByRole('checkbox', { name: /Select row/ })[0] ?? document.body);
    await pick('Severity', 'Critical');
    expect(screen.queryByRole('region', { name: 'Selected events' })).toBeNull();
  });
});

test('a notice says what becomes of an act: an error, a warning of what others did, or success (S-1.5)', async () => {
  watchWarnings();
  const theirs = { ...EVENTS[0], version: 2, assignee: 'kai' };
  const refused = [{ id: 30, failure: 'conflict', by: 'kai', event: theirs }];
  const gateway = await openHistory({ query: 'event=30' });
  const kindAfter = async (text: RegExp, answer: () => Response | Error) => {
    gateway.on(`POST ${EVENT_ACT_PATH}`, answer);
    await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));
    return noticeOf(text);
  };
  expect(await kindAfter(/^Can't reach the server/, () => new TypeError('away'))).toBe('error');
  const conflict = () => json({ error: false, data: { events: [], refused } });
  expect(await kindAfter(/^kai was first/, conflict)).toBe('warning');
  const done = () => json({ error: false, data: { events: [{ ...theirs, status: 'acknowledged' }], refused: [] } });
  expect(await kindAfter(/^Event acknowledged/, done)).toBe('success');
});

describe('saved filters', () => {
  const SAVED = [{ id: 5, name: 'Emergencies', query: { types: 'emergency', period: '30d' } }] as const;
  const openList = () => userEvent.click(screen.getByRole('button', { name: 'Saved filters' }));

  test('are applied, for a period from the day on which they are', async () => {
    const gateway = await openHistory({ query: 'severities=info', filters: SAVED });
    await openList();
    await userEvent.click(screen.getByRole('button', { name: 'Emergencies' }));
    await askedFor(gateway, { types: 'emergency', from: String(DAY_24_MS - 29 * DAY_MS) });
    expect(address()).toBe('period=30d&types=emergency');
  });

  test('are saved under a name, which may be taken', async () => {
    const gateway = await openHistory({ query: 'types=speeding&event=20&view=map', filters: SAVED });
    gateway.on(`POST ${EVENT_FILTERS_PATH}`, ({ body }) =>
      json({ error: false, data: { id: 6, ...(body as object) } }),
    );
    await openList();
    await userEvent.click(screen.getByRole('button', { name: 'Save current filters' }));
    const dialog = screen.getByRole('dialog', { name: 'Save filter' });
    await userEvent.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Emergencies');
    within(dialog).getByText('Replaces the saved filter of this name.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByText('Filter saved.');
    const body = { name: 'Emergencies', query: { types: 'speeding', period: '7d' } };
    expect(gateway.callsOf(EVENT_FILTERS_PATH).find(({ method }) => method === 'POST')?.body).toEqual(body);
  });

  test('are deleted once that is confirmed', async () => {
    const gateway = await openHistory({ filters: SAVED });
    gateway.on(`DELETE ${EVENT_FILTERS_PATH}/5`, { error: false });
    await openList();
    await userEvent.click(screen.getByRole('button', { name: 'Delete Emergencies' }));
    const question = screen.getByRole('alertdialog', { name: 'Delete Emergencies?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    await screen.findByText('Filter deleted.');
    expect(gateway.callsOf(`${EVENT_FILTERS_PATH}/5`)).toHaveLength(1);
  });
});

describe('the other views', () => {
  test('count by day in the zone of the user, and lead to a day', async () => {
    const counts = { critical: 1, major: 0, minor: 2, info: 0 };
    const days = [{ fromMs: wallMs(DAY_24_MS - 2 * DAY_MS), counts }];
    const gateway = await openHistory({ query: 'view=days&types=speeding', days });
    expect(asked(gateway, '/api/event/days')).toEqual({
      from: String(DAY_24_MS - 6 * DAY_MS),
      to: String(DAY_24_MS + DAY_MS),
      types: 'speeding',
      timeZone: 'Asia/Taipei',
    });
    screen.getByText('Events: 3');
    await userEvent.click(screen.getByRole('button', { name: '2026-11-22' }));
    expect(address()).toBe('from=2026-11-22&to=2026-11-22&types=speeding');
    await askedFor(gateway, { from: String(DAY_24_MS - 2 * DAY_MS), to: String(DAY_24_MS - DAY_MS) });
  });

  test('show the newest thousand on a map, and say what they leave out', async () => {
    const gateway = await openHistory({ query: 'view=map' });
    let asks = 0;
    gateway.on(`GET ${EVENTS_PATH}`, ({ query }) => {
      asks++;
      const rows = EVENTS.map((event, at) => ({ ...event, id: asks * 1_000 + at }));
      expect([query.get('limit'), query.get('after')]).toEqual(['500', asks === 1 ? null : `at-${asks - 1}`]);
      const next = asks < 3 ? `at-${asks}` : null;
      return json({ error: false, data: { rows, total: 9, hasMoreThanTotal: false, next, previous: null } });
    });
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText('Events: 9');
    screen.getByText('Without position: 3');
  });

  test('are left and entered by the address', async () => {
    await openHistory();
    await userEvent.click(screen.getByRole('button', { name: 'By day' }));
    expect(address()).toBe('view=days');
    await goBackTo('');
    expect(screen.getByRole('button', { name: 'Table' }).getAttribute('aria-pressed')).toBe('true');
  });
});

test('the whole result is downloaded, as CSV and as a sheet in the language and the zone of the user', async () => {
  const gateway = await openHistory({ query: 'types=speeding&sort=severity' });
  const address = { error: false, data: { address: '/api/download/abc' } };
  gateway.on(`POST ${EVENTS_PATH}/csv`, address);
  gateway.on(`POST ${EVENTS_PATH}/xlsx`, address);
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await userEvent.click(screen.getByRole('button', { name: 'Export XLSX' }));
  await settle();
  const of = { types: 'speeding', sort: 'severity', descending: '1', from: String(DAY_24_MS - 6 * DAY_MS) };
  expect(asked(gateway, `${EVENTS_PATH}/csv`)).toEqual(of);
  expect(asked(gateway, `${EVENTS_PATH}/xlsx`)).toEqual({ ...of, lang: 'en', timeZone: 'Asia/Taipei' });
});
