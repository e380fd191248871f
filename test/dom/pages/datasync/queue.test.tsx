import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { SYNC_FILE_PATH, SYNC_ITEMS_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { aSyncItem } from '../../../support/sync/syncAnswers.ts';
import { dialog } from '../eventdefine/fakeEventDefine.ts';
import { openSync, rowOf, rows } from './fakeSync.tsx';

const RUNNING = aSyncItem({ id: 1, state: 'running', receivedBytes: 30, totalBytes: 120, bytesPerSecond: 2_000_000 });
const WAITING = aSyncItem({ id: 2, channel: 1, state: 'waiting', wait: 'plan', rule: 0, requestedBy: 'mei' });
const FAILED = aSyncItem({
  id: 3,
  deviceid: 'BUS2',
  name: '',
  channel: 2,
  state: 'failed',
  fault: 'unreadable',
  rule: 0,
  event: 77,
  hasFile: true,
});
const DONE = aSyncItem({ id: 4, channel: 4, state: 'done' });
const ITEMS = [RUNNING, WAITING, FAILED, DONE];

async function menuOf(user: Awaited<ReturnType<typeof openSync>>['user'], name: string, action: string) {
  await user.click(within(await rowOf(name)).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText(action));
}

describe('the queue', () => {
  test('S-1.4 S-2.4.8 says of each recording how far it is, what it waits for, and who asked for it', async () => {
    await openSync({ items: ITEMS });
    await rowOf('BUS2');
    const texts = rows().map((row) => row.textContent);
    expect(texts[0]).toContain('Lake line 1 · 3');
    expect(texts[0]).toContain('2026-11-25 08:00:00 – 08:10:00');
    expect(texts[0]).toContain('Transferring25 %');
    expect(texts[0]).toContain('2.0 MB/s');
    expect(texts[0]).toContain('Rule Depot at night');
    expect(texts[1]).toContain('WaitingUntil the data plan starts over');
    expect(texts[1]).toContain('Requested bymei');
    expect(texts[2]).toContain('BUS2 · 2');
    expect(texts[2]).toContain('FailedNot readable as video');
    expect(texts[2]).toContain('Event 77');
    expect(texts[3]).toContain('Done');
  });

  test('S-1.5 does one thing with one recording, as its state allows', async () => {
    const { acts, user } = await openSync({ items: ITEMS });
    await rowOf('BUS2');
    await user.click(screen.getByLabelText('Pause Lake line 1 · 3'));
    expect(await noticeOf('Paused.')).toBe('success');
    await user.click(screen.getByLabelText('Try BUS2 · 2 again'));
    expect(await noticeOf('Queued again.')).toBe('success');
    await menuOf(user, 'Lake line 1 · 1', 'Fetch Lake line 1 · 1 first');
    expect(await noticeOf('Moved to the front.')).toBe('success');
    expect(acts).toEqual([
      { items: [1], act: 'pause' },
      { items: [3], act: 'retry' },
      { items: [2], act: 'first' },
    ]);
    expect(screen.getByLabelText<HTMLButtonElement>('Pause Lake line 1 · 4').disabled).toBe(true);
  });

  test('S-1.5 does with several chosen what applies to them, and leaves the others', async () => {
    const { acts, user } = await openSync({ items: ITEMS });
    await user.click(within(await rowOf('Lake line 1 · 3')).getByRole('checkbox'));
    await user.click(within(await rowOf('BUS2')).getByRole('checkbox'));
    const bar = within(await screen.findByLabelText('Selected recordings'));
    expect(bar.getByText<HTMLButtonElement>('Resume').disabled).toBe(true);
    await user.click(bar.getByText('Cancel'));
    expect(await noticeOf('Canceled.')).toBe('success');
    expect(acts).toEqual([{ items: [1], act: 'cancel' }]);
    await waitFor(() => expect(screen.queryByLabelText('Selected recordings')).toBeNull());
  });

  test('is narrowed by status, rule and device, which the address keeps', async () => {
    const { gateway, user } = await openSync({ items: ITEMS, query: 'device=BUS1' });
    await rowOf('BUS2');
    await screen.findByText('Depot at night', { selector: 'option' });
    await user.selectOptions(screen.getByLabelText('Status'), 'failed');
    await user.selectOptions(screen.getByLabelText('Rule'), '4');
    await waitFor(() => {
      const asked = gateway.callsOf(SYNC_ITEMS_PATH).at(-1)?.query;
      expect(['deviceid', 'state', 'rule'].map((name) => asked?.get(name))).toEqual(['BUS1', 'failed', '4']);
    });
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
      device: 'BUS1',
      state: 'failed',
      rule: '4',
    });
  });

  test('asks again when the gateway says that something has come on', async () => {
    const { gateway, socket } = await openSync({ items: ITEMS });
    await rowOf('BUS2');
    const before = gateway.callsOf(SYNC_ITEMS_PATH).length;
    socket?.tell({ type: 'sync' });
    await waitFor(() => expect(gateway.callsOf(SYNC_ITEMS_PATH).length).toBeGreaterThan(before));
  });

  test('gives a file that is no video as it came', async () => {
    const { gateway, user } = await openSync({ items: ITEMS });
    const press = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await menuOf(user, 'BUS2', 'Download the file of BUS2 · 2');
    await waitFor(() => expect(gateway.callsOf(SYNC_FILE_PATH).map(({ body }) => body)).toEqual([{ item: 3 }]));
    press.mockRestore();
  });
});

describe('a request', () => {
  test('needs a device and times, and is for all of its channels unless some are chosen', async () => {
    const { requests, user } = await openSync({ items: ITEMS, query: 'device=BUS2' });
    await rowOf('BUS2');
    await user.click(screen.getByText('Fetch recordings'));
    const form = await dialog('Fetch recordings from a device');
    expect(form.getByLabelText<HTMLInputElement>(/^Device/).value).toContain('Hill line 7');
    await user.click(form.getByText('Fetch'));
    expect(await form.findAllByText('Enter a date and a time.')).toHaveLength(2);
    expect(requests).toEqual([]);
  });
});

describe('the page', () => {
  test('S-1.4 is in the language of the user', async () => {
    await openSync({ items: ITEMS, locale: 'zh-TW' });
    await rowOf('等待');
    await openSync({ items: ITEMS, locale: 'jp' });
    await rowOf('データプラン');
  });

  test('is not there for those who may not see it', async () => {
    const { gateway } = await openSync({ items: ITEMS, permission: ['event'] });
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect(gateway.callsOf(SYNC_ITEMS_PATH)).toEqual([]);
  });
});
