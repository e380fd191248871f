import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TodayEventPage } from '../../../../pages/innerpage/todayevent/TodayEventPage.tsx';
import { EVENT_ACT_PATH, EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { wallClockMs } from '../../../../shared/protocol/timeZones.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { EVENT_BEGIN_MS } from '../../../support/eventRow.ts';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { insertText } from '../../insertText.ts';
import { list, openTodayEvent, press, row, rows, selectBox, today } from './openTodayEvent.tsx';

const EVENTS = [
  today(3, { type: 'emergency', severity: 'critical', deviceid: 'BUS2', deviceName: 'Hill line 7', plate: 'KBB-7' }),
  today(2, { status: 'acknowledged', count: 4, late: true, driver: 'Lin Yi' }),
  today(1, { type: 'video-loss', unit: 2, status: 'closed', reason: 'real', endAtMs: today(1).beginAtMs }),
];

describe('the list', () => {
  test('shows the events of the day, newest first, with what is known of each', async () => {
    const { gateway } = await openTodayEvent(EVENTS);
    expect(rows()).toEqual(['3', '2', '1']);
    const { query } = gateway.callsOf(EVENTS_PATH)[0] ?? expect.fail('nothing was asked');
    expect(Object.fromEntries(query)).toMatchObject({ sort: 'time', descending: '1', limit: '500' });
    expect(row(3).textContent).toMatch(/Emergency \(SOS\).*Critical.*Hill line 7.*KBB-7.*Lasting.*New/);
    expect(row(2).textContent).toMatch(/Speeding ×4.*Major · 86 km\/h.*Lin Yi.*Late.*Acknowledged/);
    expect(row(1).textContent).toMatch(/Video loss.*ch 2.*Closed.*Real event/);
  });

  test('counts by severity and status, and lists what is clicked', async () => {
    await openTodayEvent(EVENTS);
    const counter = (name: RegExp) => screen.getByRole('button', { name });
    await userEvent.click(counter(/^Major 2$/));
    expect(rows()).toEqual(['2', '1']);
    expect(counter(/^Major 2$/).getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(counter(/^Closed 1$/));
    expect(rows()).toEqual(['1']);
    await userEvent.click(counter(/^Closed 1$/));
    await userEvent.click(counter(/^Major 2$/));
    expect(rows()).toEqual(['3', '2', '1']);
  });

  test('is filtered by text and by choice, says when nothing is left, and takes it back', async () => {
    await openTodayEvent(EVENTS);
    await insertText(userEvent, screen.getByRole('searchbox'), 'hill');
    expect(rows()).toEqual(['3']);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Video');
    screen.getByText('No results. Change the search or filters.');
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] ?? document.body);
    expect(rows()).toEqual(['3', '2', '1']);
  });

  test('stands by device, each with its number and the worst severity, and hides what is collapsed', async () => {
    await openTodayEvent(EVENTS);
    await userEvent.click(screen.getByRole('switch', { name: 'Group by device' }));
    const device = screen.getByRole('button', { name: /^Lake line 1 · KAA-0001 Major Events: 2$/ });
    expect(device.getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(device);
    expect(rows()).toEqual(['3']);
    expect(localStorage.getItem('events-grouped')).toBe('1');
  });

  test('says that there are none yet', async () => {
    await openTodayEvent([]);
    screen.getByText('No events today. New events appear here at once.');
  });

  test('says why it could not be loaded, and asks again', async () => {
    watchWarnings();
    const { gateway, socket } = await openTodayEvent([]);
    gateway.on(`GET ${EVENTS_PATH}`, () => new TypeError('away'));
    socket.tell({ type: 'events', revision: 99, reload: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await settle();
    const page = { rows: EVENTS, total: 3, hasMoreThanTotal: false, next: null, previous: null };
    gateway.on(`GET ${EVENTS_PATH}`, { error: false, data: page });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rows()).toEqual(['3', '2', '1']);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('live', () => {
  test('a new event comes on top, and a changed one changes', async () => {
    const { tell } = await openTodayEvent(EVENTS);
    tell(today(4), today(2, { version: 2, status: 'in-progress', assignee: 'kai' }));
    expect(rows()).toEqual(['4', '3', '2', '1']);
    expect(row(2).textContent).toMatch(/In progress.*kai/);
  });

  test('a new event moves the others down without drawing them again', async () => {
    const at = (id: number) => wallMs(EVENT_BEGIN_MS + id * 1_000);
    const { tell } = await openTodayEvent([1, 2, 3].map((id) => today(id, { beginAtMs: at(id) })));
    expect(row(1).getAttribute('aria-rowindex')).toBe('4');
    const written = vi.spyOn(Date.prototype, 'toISOString');
    onTestFinished(() => written.mockRestore());
    tell(today(4, { beginAtMs: at(4) }));
    expect(row(1).getAttribute('aria-rowindex')).toBe('5');
    const writtenMs = written.mock.contexts.map((date) => (date as Date).getTime());
    expect([...new Set(writtenMs)]).toEqual([wallClockMs(at(4), '')]);
  });

  test('while it is paused new events are counted and held back', async () => {
    const { tell } = await openTodayEvent(EVENTS);
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    screen.getByText('Paused. New events are held back.');
    tell(today(4), today(5));
    expect(rows()).toEqual(['3', '2', '1']);
    await userEvent.click(screen.getByRole('button', { name: '2 new' }));
    expect(rows()).toEqual(['5', '4', '3', '2', '1']);
    screen.getByRole('button', { name: 'Pause' });
  });

  test('new events are said to screen readers', async () => {
    const { tell } = await openTodayEvent(EVENTS);
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said()).toContain('');
    tell(today(4), today(5, { severity: 'critical' }), today(2, { version: 2, count: 5 }));
    expect(said()).toContain('New events: 2, critical: 1');
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    tell(today(6));
    expect(said()).toContain('1 new');
  });

  test('says when the line is broken', async () => {
    const { socket } = await openTodayEvent(EVENTS);
    screen.getByText('Live');
    socket.break();
    screen.getByText(/^No connection since /);
  });
});

describe('acts', () => {
  test('a key acknowledges the event that is looked at, as it was last seen', async () => {
    const { requests, tell } = await openTodayEvent(EVENTS);
    fireEvent.click(row(3));
    tell({ ...today(3, EVENTS[0]), version: 7 });
    await press('a');
    expect(requests()).toEqual([{ act: 'acknowledge', events: [{ id: 3, version: 7 }] }]);
    await screen.findByText('Event acknowledged.');
    expect(row(3).textContent).toMatch(/Acknowledged/);
  });

  test('a conflict says who was first and what the event is now, and keeps what was typed', async () => {
    let answers = 0;
    const theirs = today(3, { ...EVENTS[0], version: 5, status: 'in-progress', assignee: 'kai' });
    const { requests } = await openTodayEvent(EVENTS, ({ events: [named] }) => {
      answers++;
      if (answers === 1) return { events: [], refused: [{ id: 3, failure: 'conflict', by: 'kai', event: theirs }] };
      return { events: [today(3, { version: (named?.version ?? 0) + 1, status: 'false-alarm' })], refused: [] };
    });
    fireEvent.click(row(3));
    await press('f');
    const dialog = within(screen.getByRole('dialog', { name: 'Close event as false alarm' }));
    await insertText(userEvent, dialog.getByRole('textbox', { name: 'Note' }), 'Button by mistake');
    await userEvent.click(dialog.getByRole('button', { name: 'Close event' }));
    await dialog.findByText('kai was first. The event is now: In progress (kai).');
    expect((dialog.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement).value).toBe('Button by mistake');
    expect(row(3).textContent).toMatch(/In progress/);
    await userEvent.click(dialog.getByRole('button', { name: 'Close event' }));
    await screen.findByText('Event closed.');
    const content = { act: 'close', reason: 'false-alarm', note: 'Button by mistake' };
    expect(requests()).toEqual([
      { ...content, events: [{ id: 3, version: 1 }] },
      { ...content, events: [{ id: 3, version: 5 }] },
    ]);
    expect(screen.queryByRole('dialog', { name: /false alarm/ })).toBeNull();
  });

  test('what only the gateway has changed meanwhile is no conflict', async () => {
    const repeated = today(3, { ...EVENTS[0], version: 2, count: 2 });
    const { requests } = await openTodayEvent(EVENTS, ({ events: [named] }) =>
      named?.version === 1
        ? { events: [], refused: [{ id: 3, failure: 'conflict', by: '', event: repeated }] }
        : { events: [{ ...repeated, version: 3, status: 'acknowledged' }], refused: [] },
    );
    fireEvent.click(row(3));
    await press('a');
    await screen.findByText('Event acknowledged.');
    expect(requests().map(({ events }) => events)).toEqual([[{ id: 3, version: 1 }], [{ id: 3, version: 2 }]]);
  });

  test('closing needs a reason', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    fireEvent.click(row(2));
    await press('c');
    const dialog = within(screen.getByRole('dialog', { name: 'Close event' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Close event' }));
    dialog.getByText('Select a reason.');
    await userEvent.selectOptions(dialog.getByRole('combobox'), 'Real event');
    await userEvent.click(dialog.getByRole('button', { name: 'Close event' }));
    await settle();
    expect(requests()).toEqual([{ act: 'close', reason: 'real', note: '', events: [{ id: 2, version: 1 }] }]);
  });

  test('is not offered where the status does not allow it', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    fireEvent.click(row(1));
    const panel = within(screen.getByRole('region', { name: 'Video loss' }));
    expect(panel.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
    panel.getByRole('button', { name: 'Reopen' });
    await press('a');
    await screen.findByText("The status of the event doesn't allow this.");
    expect(requests()).toEqual([]);
  });
});

test('a notice says what becomes of an act: nothing, an error, a warning of what others did, or success (S-1.5)', async () => {
  watchWarnings();
  const theirs = today(3, { ...EVENTS[0], version: 5, assignee: 'kai' });
  const refused = [{ id: 3, failure: 'conflict', by: 'kai', event: theirs }];
  const { gateway } = await openTodayEvent(EVENTS);
  const kindAfter = async (id: number, text: RegExp, answer: () => Response | Error) => {
    gateway.on(`POST ${EVENT_ACT_PATH}`, answer);
    fireEvent.click(row(id));
    await press('a');
    return noticeOf(text);
  };
  const away = () => new TypeError('away');
  expect(await kindAfter(1, /^The status of the event doesn't allow this/, away)).toBe('info');
  expect(await kindAfter(3, /^Can't reach the server/, away)).toBe('error');
  const conflict = () => json({ error: false, data: { events: [], refused } });
  expect(await kindAfter(3, /^kai was first/, conflict)).toBe('warning');
  const done = () => json({ error: false, data: { events: [{ ...theirs, status: 'acknowledged' }], refused: [] } });
  expect(await kindAfter(3, /^Event acknowledged/, done)).toBe('success');
});

describe('several events', () => {
  test('are selected by box, by range and all, and acknowledged at once', async () => {
    const { requests } = await openTodayEvent([today(9), today(8), ...EVENTS]);
    fireEvent.click(selectBox(9));
    fireEvent.click(row(3), { shiftKey: true });
    screen.getByText('Selected: 3');
    await press('Escape');
    expect(screen.queryByText(/^Selected:/)).toBeNull();
    await press('a', { ctrlKey: true });
    screen.getByText('Selected: 5');
    await press('a');
    // Only the events whose status allows it are sent.
    expect(requests()[0]?.events.map(({ id }) => id)).toEqual([9, 8, 3]);
    await screen.findByText('Events acknowledged: 3');
  });

  test('what could not be done is listed, with the reason, and can be tried again', async () => {
    const theirs = today(9, { version: 4, status: 'in-progress', assignee: 'kai' });
    let isFirst = true;
    const { requests } = await openTodayEvent([today(9), today(8), today(7)], ({ events }) => {
      if (!isFirst) return { events: [today(9, { version: 5, status: 'closed' })], refused: [] };
      isFirst = false;
      return {
        events: events.filter(({ id }) => id === 8).map(() => today(8, { version: 2, status: 'closed' })),
        refused: [
          { id: 9, failure: 'conflict', by: 'kai', event: theirs },
          { id: 7, failure: 'gone', by: '', event: null },
        ],
      };
    });
    await press('a', { ctrlKey: true });
    await press('f');
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close events' }));
    const result = within(await screen.findByRole('dialog', { name: 'Not changed: 2' }));
    result.getByText('Event closed.');
    result.getByText('kai was first. The event is now: In progress (kai).');
    result.getByText("Event not found, or you don't have access to it.");
    await userEvent.click(result.getByRole('button', { name: 'Try again (1)' }));
    await settle();
    expect(requests()[1]).toMatchObject({ act: 'close', reason: 'false-alarm', events: [{ id: 9, version: 4 }] });
  });
});

describe('keys', () => {
  test('go through the events, show one, and leave it', async () => {
    await openTodayEvent(EVENTS);
    await press('j');
    await press('j');
    expect(list().getAttribute('aria-activedescendant')).toBe('event-2');
    list().focus();
    await press('Enter');
    screen.getByRole('region', { name: 'Speeding' });
    await press('k');
    screen.getByRole('region', { name: 'Emergency (SOS)' });
    await press('Escape');
    expect(screen.queryByRole('region', { name: 'Emergency (SOS)' })).toBeNull();
  });

  test('do nothing while something is typed, or a dialog is open', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    fireEvent.click(row(3));
    screen.getByRole('searchbox').focus();
    await press('a');
    await press('n');
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByRole('searchbox').blur();
    await press('n');
    const dialog = screen.getByRole('dialog', { name: 'Add note' });
    within(dialog).getByRole('button', { name: 'Cancel' }).focus();
    await press('a');
    expect(requests()).toEqual([]);
  });

  test('are listed under the question mark', async () => {
    await openTodayEvent(EVENTS);
    await press('?', { shiftKey: true });
    const keys = [...screen.getByRole('dialog', { name: 'Keyboard shortcuts' }).querySelectorAll('kbd')];
    expect(keys.map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['J', 'K', 'A', 'C', 'F', 'G', 'N', 'V', 'Ctrl + A', 'Esc']),
    );
  });
});

test('whoever lacks the permission sees no events (S-2.4.4)', async () => {
  planGateway({ user: { permission: ['report'] } });
  await renderPage(<TodayEventPage />);
  screen.getByText("You don't have permission for this page. Ask your administrator for it.");
});
