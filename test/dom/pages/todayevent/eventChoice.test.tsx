// What the keys and acts are about: what can be seen, and what is shown in detail.
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { EVENT_ASSIGNEES_PATH } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { settle } from '../../../support/browser/renderPage.tsx';
import { EVENT_BEGIN_MS } from '../../../support/eventRow.ts';
import { insertText } from '../../insertText.ts';
import { list, openTodayEvent, press, row, rows, today } from './openTodayEvent.tsx';

const EVENTS = [
  today(3, { deviceid: 'BUS2', deviceName: 'Hill line 7', group: 2, groupName: 'South' }),
  today(2, { status: 'acknowledged' }),
  today(1, { type: 'video-loss', unit: 2, status: 'closed', reason: 'real', endAtMs: today(1).beginAtMs }),
];

describe('the keys', () => {
  test('act on no event that is not listed while no details are shown', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    await press('j');
    expect(list().getAttribute('aria-activedescendant')).toBe('event-3');
    await insertText(userEvent, screen.getByRole('searchbox'), 'lake');
    screen.getByRole('searchbox').blur();
    expect(rows()).toEqual(['2', '1']);
    for (const key of ['a', 'c', 'f', 'g', 'n', 'v']) await press(key);
    expect(requests()).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Speeding' })).toBeNull();
    await press('j');
    expect(list().getAttribute('aria-activedescendant')).toBe('event-2');
  });

  test('act on no event of a device that is collapsed', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    await userEvent.click(screen.getByRole('switch', { name: 'Group by device' }));
    await press('j');
    await userEvent.click(screen.getByRole('button', { name: /^Hill line 7/ }));
    await press('a');
    expect(requests()).toEqual([]);
  });

  test('act on the event whose details are shown, listed or not', async () => {
    const { requests } = await openTodayEvent(EVENTS);
    fireEvent.click(row(3));
    await insertText(userEvent, screen.getByRole('searchbox'), 'lake');
    screen.getByRole('searchbox').blur();
    expect(rows()).toEqual(['2', '1']);
    await press('a');
    expect(requests()).toEqual([{ act: 'acknowledge', events: [{ id: 3, version: 1 }] }]);
  });

  test('play the recording of the event, and stop it', async () => {
    await openTodayEvent(EVENTS);
    await press('j');
    await press('v');
    const recording = () => screen.getByRole('button', { name: 'Recording' }).getAttribute('aria-pressed');
    expect(recording()).toBe('true');
    await press('v');
    expect(recording()).toBe('false');
  });
});

test('details that open and close ask the live line for nothing, which sends only so many snapshots a minute', async () => {
  const { socket, tell } = await openTodayEvent(EVENTS);
  const asked = socket.sent.length;
  fireEvent.click(row(3));
  await press('Escape');
  fireEvent.click(row(3));
  tell(today(3, { ...EVENTS[0], count: 9 }));
  screen.getByText('9', { selector: 'dd' });
  expect(socket.sent.slice(asked)).toEqual([]);
});

test('the group that is listed stays chosen when it has no event any more', async () => {
  const { tell } = await openTodayEvent(EVENTS);
  const group = screen.getByRole('combobox', { name: 'Group' }) as HTMLSelectElement;
  await userEvent.selectOptions(group, 'South');
  expect(rows()).toEqual(['3']);
  tell(today(3, { ...EVENTS[0], version: 2, group: 1, groupName: 'North' }));
  expect(rows()).toEqual([]);
  expect(group.selectedOptions[0]?.textContent).toBe('South');
});

test('an event is assigned, and one that was closed is reopened with a note', async () => {
  const { gateway, requests } = await openTodayEvent(EVENTS, ({ act, events: [named] }) => {
    const changed = { version: (named?.version ?? 0) + 1, status: 'in-progress', assignee: 'kai' } as const;
    return {
      events: act === 'assign' ? [today(2, changed)] : [today(1, { ...changed, type: 'video-loss' })],
      refused: [],
    };
  });
  const members = [
    { username: 'kai', displayName: 'Kai Lo' },
    { username: 'mei', displayName: 'Mei Sun' },
  ];
  gateway.on(`GET ${EVENT_ASSIGNEES_PATH}`, { error: false, data: members });
  fireEvent.click(row(2));
  await press('g');
  const assign = within(screen.getByRole('dialog', { name: 'Assign event' }));
  await userEvent.click(assign.getByRole('combobox'));
  await userEvent.click(await screen.findByRole('option', { name: 'Kai Lo (kai)' }));
  await userEvent.click(assign.getByRole('button', { name: 'Assign' }));
  await settle();
  expect(row(2).textContent).toMatch(/In progress.*kai/);
  fireEvent.click(row(1));
  await userEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  const reopen = within(screen.getByRole('dialog', { name: 'Reopen event' }));
  await userEvent.click(reopen.getByRole('button', { name: 'Reopen' }));
  reopen.getByText('Enter a note.');
  await insertText(userEvent, reopen.getByRole('textbox', { name: 'Note' }), 'Wrong camera');
  await userEvent.click(reopen.getByRole('button', { name: 'Reopen' }));
  await settle();
  expect(requests()).toEqual([
    { act: 'assign', assignee: 'kai', note: '', events: [{ id: 2, version: 1 }] },
    { act: 'reopen', note: 'Wrong camera', events: [{ id: 1, version: 1 }] },
  ]);
  expect(row(1).textContent).toMatch(/In progress/);
});

test('of a full day only the rows in sight are in the document', async () => {
  const at = (id: number) => wallMs(EVENT_BEGIN_MS + id);
  await openTodayEvent(
    Array.from({ length: 2_000 }, (_, index) => today(2_000 - index, { beginAtMs: at(2_000 - index) })),
  );
  expect(list().getAttribute('aria-rowcount')).toBe('2001');
  expect(rows()[0]).toBe('2000');
  expect(rows().length).toBeGreaterThan(5);
  expect(rows().length).toBeLessThan(40);
  list().scrollTop = 50_000;
  fireEvent.scroll(list());
  await settle();
  expect(rows()).not.toContain('2000');
  expect(rows().length).toBeGreaterThan(5);
  expect(rows().length).toBeLessThan(40);
});
