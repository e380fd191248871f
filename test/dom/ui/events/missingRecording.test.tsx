import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SYNC_REQUEST_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { MissingRecording } from '../../../../shared/ui/events/video/MissingRecording.tsx';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { dialog } from '../../pages/eventdefine/fakeEventDefine.ts';

const RANGES_PATH = '/api/playback/local/ranges';
const CLIP = { fromMs: Date.UTC(2026, 10, 24, 8), toMs: Date.UTC(2026, 10, 24, 8, 1) };
const VIDEO = {
  source: { deviceid: 'BUS1', username: 'mei', credential: 'secret' },
  info: { devicename: 'Lake line 1', chs: '110', chnames: [] },
} as never;

async function openClip(recordedChannel: number | undefined, permission = ['datasync']) {
  const gateway = planGateway({ user: { permission, timezone: 'UTC' } });
  const channels = recordedChannel === undefined ? [] : [{ channel: recordedChannel, ranges: [CLIP] }];
  gateway.on(`GET ${RANGES_PATH}`, { error: false, data: { channels } });
  gateway.on(`POST ${SYNC_REQUEST_PATH}`, { error: false, data: { items: [], outcome: 'queued' } });
  const sockets = fakeSockets();
  const shown = (
    <Frame title="Event" permissions={[]}>
      {() => <MissingRecording video={VIDEO} channels={[1, 2]} clip={CLIP} />}
    </Frame>
  );
  await renderPage(shown);
  const socket = sockets.at(-1);
  socket?.open();
  socket?.tell({ type: 'snapshot', devices: [{ id: 'BUS1', name: 'Lake line 1', plate: '', group: 4, chn: 3 }] });
  await settle();
  await waitFor(() => expect(gateway.callsOf(RANGES_PATH)).toHaveLength(1));
  await settle();
  return { gateway, socket };
}

describe('an event without a recording on the server', () => {
  test('offers to fetch its clip from the device', async () => {
    const user = userEvent.setup();
    const { gateway } = await openClip(3);
    await screen.findByText('Not recorded on the server');
    await user.click(screen.getByText('Fetch from device'));
    const form = await dialog('Fetch recordings from a device');
    await user.click(form.getByText('Fetch'));
    expect(await noticeOf('It is in the queue already.')).toBe('success');
    expect(gateway.callsOf(SYNC_REQUEST_PATH).map(({ body }) => body)).toEqual([
      { deviceid: 'BUS1', stream: 'any', channels: [1, 2], ...CLIP },
    ]);
  });

  test('says nothing any more once its clip has been fetched', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { gateway, socket } = await openClip(undefined);
    await screen.findByText('Not recorded on the server');
    gateway.on(`GET ${RANGES_PATH}`, { error: false, data: { channels: [{ channel: 2, ranges: [CLIP] }] } });
    socket?.tell({ type: 'sync', revision: 2, reload: true });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await waitFor(() => expect(screen.queryByText('Not recorded on the server')).toBeNull());
  });

  test('says so without the offer to members who may not fetch', async () => {
    await openClip(undefined, ['event']);
    await screen.findByText('Not recorded on the server');
    expect(screen.queryByText('Fetch from device')).toBeNull();
  });

  test('says nothing where one of its cameras was recorded', async () => {
    await openClip(2);
    expect(screen.queryByText('Not recorded on the server')).toBeNull();
  });
});
