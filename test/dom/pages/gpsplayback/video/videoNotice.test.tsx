import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PageClock } from '../../../../../pages/innerpage/gpsplayback/clock/pageClock.ts';
import { ClockContext } from '../../../../../pages/innerpage/gpsplayback/clock/useClock.ts';
import { VideoNotice } from '../../../../../pages/innerpage/gpsplayback/video/VideoNotice.tsx';
import type { VideoState } from '../../../../../pages/innerpage/gpsplayback/video/videoState.ts';
import { SYNC_REQUEST_PATH } from '../../../../../shared/protocol/api/sync/sync.ts';
import { Frame } from '../../../../../shared/ui/frame/Frame.tsx';
import { noticeOf } from '../../../../support/browser/notices.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../../support/browser/renderPage.tsx';
import { json } from '../../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../../support/fakes/fakeSocket.ts';
import { dialog } from '../../eventdefine/fakeEventDefine.ts';

const AT_MS = Date.UTC(2026, 10, 24, 8);
const MINUTE_MS = 60_000;
/** 5 minutes before the clock's moment and after it, of all cameras. */
const REQUEST = {
  deviceid: 'BUS1',
  stream: 'any',
  channels: [],
  fromMs: AT_MS - 5 * MINUTE_MS,
  toMs: AT_MS + 5 * MINUTE_MS,
};

interface NoticeSetUp {
  readonly state?: Exclude<VideoState, 'recorded'>;
  readonly permission?: string[];
  readonly chn?: number;
}

/** Over the pictures of GPS Playback, whose clock stands where the server has none. */
async function openNotice({ state = 'unknown', permission = ['datasync'], chn = 4 }: NoticeSetUp = {}) {
  const gateway = planGateway({ user: { permission, timezone: 'UTC' } });
  gateway.on(`POST ${SYNC_REQUEST_PATH}`, { error: false, data: { items: [101], outcome: 'planned' } });
  const sockets = fakeSockets();
  const clock = new PageClock();
  onTestFinished(() => clock.close());
  clock.setCourse({ fromMs: AT_MS - 60 * MINUTE_MS, toMs: AT_MS + 60 * MINUTE_MS, still: [] });
  clock.seek(AT_MS);
  const device = {
    onDevice: { asked: [], ranges: [] },
    failure: undefined,
    isAsking: false,
    ask: async () => undefined,
  };
  await renderPage(
    <Frame title="GPS Playback" permissions={[]}>
      {() => (
        <ClockContext value={clock}>
          <VideoNotice state={state} device={device} deviceId="BUS1" isOnline={false} channel={1} />
        </ClockContext>
      )}
    </Frame>,
  );
  const user = userEvent.setup();
  const openForm = async () => {
    await user.click(screen.getByText('Fetch from device'));
    const form = await dialog('Fetch recordings from a device');
    const socket = sockets.at(-1);
    socket?.open();
    socket?.tell({ type: 'snapshot', devices: [{ id: 'BUS1', name: 'Lake line 1', plate: '', group: 4, chn }] });
    await settle();
    return form;
  };
  return { gateway, user, openForm };
}

describe('where the server has no recording of the clock’s moment', () => {
  test.each(['unknown', 'device'] as const)('S-2.4.8 the minutes around it are fetched (%s)', async (state) => {
    const { gateway, user, openForm } = await openNotice({ state });
    const form = await openForm();
    await user.click(form.getByText('Fetch'));
    expect(await noticeOf('Recordings requested.')).toBe('success');
    expect(gateway.callsOf(SYNC_REQUEST_PATH).map(({ body }) => body)).toEqual([REQUEST]);
  });

  test.each([
    ['here', 'The server has all of it already.', 'success'],
    ['queued', 'It is in the queue already.', 'success'],
    ['lost', 'The device no longer has what the server lacks.', 'warning'],
  ])('says what became of a request: %s', async (outcome, text, kind) => {
    const { gateway, user, openForm } = await openNotice();
    gateway.on(`POST ${SYNC_REQUEST_PATH}`, { error: false, data: { items: [], outcome } });
    const form = await openForm();
    await user.click(form.getByText('Fetch'));
    expect(await noticeOf(text)).toBe(kind);
  });

  test('a device that has not told its channels is asked for some of any number', async () => {
    const warnings = watchWarnings();
    const { gateway, user, openForm } = await openNotice({ chn: 0 });
    const refused = { error: true, code: 'channels-unknown', message: 'unknown' };
    gateway.on(`POST ${SYNC_REQUEST_PATH}`, () => json(refused, { status: 409 }));
    const form = await openForm();
    await user.click(form.getByText('Fetch'));
    await form.findByText(/The device hasn't told its channels yet\./);
    expect(warnings.length).toBeGreaterThan(0);
    await user.click(form.getByLabelText(/^Channels/));
    await user.click(await screen.findByRole('option', { name: '32' }));
    gateway.on(`POST ${SYNC_REQUEST_PATH}`, { error: false, data: { items: [101], outcome: 'planned' } });
    await user.click(form.getByText('Fetch'));
    expect(await noticeOf('Recordings requested.')).toBe('success');
    expect(gateway.callsOf(SYNC_REQUEST_PATH).at(-1)?.body).toEqual({ ...REQUEST, channels: [32] });
  });

  test('nothing is fetched where the device has none either', async () => {
    await openNotice({ state: 'none' });
    screen.getByText('Not recorded');
    expect(screen.queryByText('Fetch from device')).toBeNull();
  });

  test('members who may not fetch have no button', async () => {
    await openNotice({ permission: [] });
    screen.getByText('Not recorded on the server');
    expect(screen.queryByText('Fetch from device')).toBeNull();
  });
});
