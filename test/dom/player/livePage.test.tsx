import { act, cleanup, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LivePage } from '../../../pages/live/LivePage.tsx';
import { type LiveView, liveChannelsOf } from '../../../pages/live/liveView.ts';
import { FramingInbox } from '../../../shared/player/page/framingInbox.ts';
import type { PagePlayer } from '../../../shared/player/page/pagePlayer.ts';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import { fakeSockets } from '../../support/fakes/fakeSocket.ts';
import { type FakePlayer, fakePlayer, startEnglish, stubBrowserParts } from './setUp.tsx';

beforeAll(startEnglish);

let player: FakePlayer;

beforeEach(() => {
  stubBrowserParts();
  player = fakePlayer();
});

afterEach(cleanup);

const bitsOf = (channels: readonly number[]) => [1, 2, 3, 4].map((each) => Number(channels.includes(each))).join('');

function ready(channels: readonly number[], said: Partial<DeviceInfo> = {}): LiveView {
  const mask = channels.reduce((bits, channel) => bits + 2 ** (channel - 1), 0);
  const info = { chn: 4, installchs: '1111', livechs: '1111', name: 'Bus 12', plate: 'ABC-123', online: true, ...said };
  const source = { deviceid: 'DEV1', username: 'ann', credential: 'secret1' };
  const shown = liveChannelsOf(mask, info);
  return { kind: 'ready', source, vehicle: 'Bus 12 · ABC-123', ...shown, layout: '', mask, info };
}

const running = (): PagePlayer => ({ support: 'ok', engine: player.engine, inbox: new FramingInbox() });

async function show(view: LiveView, pagePlayer: PagePlayer = running()) {
  const shown = render(
    <StrictMode>
      <LivePage loading={Promise.resolve(view)} player={pagePlayer} />
    </StrictMode>,
  );
  await act(async () => {});
  return shown;
}

/** The queries of the streams that are open, by channel. */
function openStreams(): URLSearchParams[] {
  const closed = new Set(player.stream.posted.filter(({ type }) => type === 'close').map(idOf));
  const opened = player.stream.posted.filter((message) => message.type === 'open' && !closed.has(idOf(message)));
  return opened.map((message) => new URL((message as unknown as { url: string }).url).searchParams);
}

const idOf = (message: { readonly type: string }) => (message as unknown as { streamId: number }).streamId;

describe('the live page', () => {
  it('S-4.15: says that it is loading while it is', () => {
    render(<LivePage loading={new Promise<never>(() => {})} player={running()} />);
    expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it("S-8.8: shows the server's message as text, never as markup", async () => {
    const failure = { ok: false, kind: 'http', status: 403, message: '<i>E-77</i>' } as const;
    await show({ kind: 'error', error: { kind: 'call', failure } });
    expect(screen.getByRole('alert').textContent).toBe('<i>E-77</i>');
    expect(openStreams()).toEqual([]);
  });

  it('shows the translation of a code that it knows', async () => {
    const failure = { ok: false, kind: 'http', status: 403, code: 'link-refused', message: 'raw' } as const;
    await show({ kind: 'error', error: { kind: 'call', failure } });
    expect(screen.getByRole('alert').textContent).toContain('link');
    expect(screen.getByRole('alert').textContent).not.toContain('raw');
  });

  it("S-8.9: shows the browser's own text of a network failure", async () => {
    await show({
      kind: 'error',
      error: { kind: 'call', failure: { ok: false, kind: 'network', message: 'Failed to fetch' } },
    });
    expect(screen.getByRole('alert').textContent).toContain('Failed to fetch');
  });

  it('says that a link does not open', async () => {
    await show({ kind: 'error', error: { kind: 'link' } });
    expect(screen.getByRole('alert').textContent).toContain("Can't open this link");
  });

  it('S-2.5.16, S-2.5.17: labels the tiles with the channel numbers and asks for sound on channel 1 only', async () => {
    await show(ready([1, 3]));
    expect([screen.getByText('ch 1'), screen.getByText('ch 3')]).toHaveLength(2);
    expect(openStreams().map((query) => Object.fromEntries(query))).toEqual([
      { username: 'ann', credential: 'secret1', deviceid: 'DEV1', channel: '1', audio: '1' },
      { username: 'ann', credential: 'secret1', deviceid: 'DEV1', channel: '3', audio: '0' },
    ]);
  });

  it('S-2.5.17: asks for no sound where channel 1 is not shown', async () => {
    await show(ready([2, 3]));
    expect(openStreams().map((query) => query.get('audio'))).toEqual(['0', '0']);
  });

  it('opens one stream a tile though StrictMode mounts everything twice', async () => {
    const { container } = await show(ready([1, 2]));
    expect(openStreams()).toHaveLength(2);
    expect(container.querySelectorAll('canvas')).toHaveLength(2);
  });

  it('S-5.5: shows nothing without a channel', async () => {
    const { container } = await show(ready([]));
    expect(container.querySelectorAll('canvas, [role=alert], [role=progressbar]')).toHaveLength(0);
    expect(openStreams()).toEqual([]);
  });

  it('ends its streams when it goes', async () => {
    const { unmount } = await show(ready([1, 2]));
    unmount();
    expect(openStreams()).toEqual([]);
  });

  it.each([
    ['insecure', /https/],
    ['browser', /can't play/],
  ] as const)('explains itself where video cannot play (%s)', async (support, text) => {
    await show(ready([1]), { support });
    expect(screen.getByRole('alert').textContent).toMatch(text);
  });

  it('S-4.11: shows a spinner in the tile until the first picture', async () => {
    await show(ready([1]));
    expect(screen.getByRole('progressbar', { name: 'Connecting…' })).toBeDefined();
    const streamId = idOf(player.stream.posted.filter(({ type }) => type === 'open').at(-1) ?? { type: '' });
    act(() => player.video.say({ type: 'progress', streams: [{ streamId, decoded: 1, shown: 1, newestAgeMs: 0 }] }));
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('hides the last picture while the link opens nothing any more, and for no other refusal', async () => {
    const { container } = await show(ready([1]));
    const streamId = idOf(player.stream.posted.filter(({ type }) => type === 'open').at(-1) ?? { type: '' });
    const refuse = (code: string) =>
      act(() =>
        player.stream.say({ type: 'event', streamId, connection: 1, event: { type: 'error', code, message: 'x' } }),
      );
    const isHidden = () => container.querySelector<HTMLElement>('.video-tile-host')?.style.visibility === 'hidden';
    refuse('device-offline');
    expect(isHidden()).toBe(false);
    refuse('link-refused');
    expect(isHidden()).toBe(true);
    act(() => player.video.say({ type: 'progress', streams: [{ streamId, decoded: 1, shown: 1, newestAgeMs: 0 }] }));
    expect(isHidden()).toBe(false);
  });

  it('S-2.4.9 says on the tile why a data plan leaves no video, and that it leaves the sub stream alone', async () => {
    await show(ready([1]));
    const streamId = idOf(player.stream.posted.filter(({ type }) => type === 'open').at(-1) ?? { type: '' });
    const tell = (type: 'error' | 'notice', code: string) =>
      act(() => player.stream.say({ type: 'event', streamId, connection: 1, event: { type, code, message: 'x' } }));
    const picture = () =>
      act(() => player.video.say({ type: 'progress', streams: [{ streamId, decoded: 1, shown: 1, newestAgeMs: 0 }] }));
    tell('error', 'plan-no-video');
    expect(screen.getByRole('alert').textContent).toMatch(/data plan .* Video is off/);
    tell('notice', 'plan-sub-stream');
    picture();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('status').textContent).toMatch(/data plan .* Only the sub stream/);
  });

  it('says on the tile why the server refuses, and which codec does not play', async () => {
    await show(ready([1]));
    const streamId = idOf(player.stream.posted.filter(({ type }) => type === 'open').at(-1) ?? { type: '' });
    const event = { type: 'error', code: 'E-5', message: 'camera is being repaired' };
    act(() => player.stream.say({ type: 'event', streamId, connection: 1, event }));
    expect(screen.getByRole('alert').textContent).toBe('camera is being repaired');
    act(() => player.video.say({ type: 'fault', streamId, fault: { kind: 'codec', message: 'H.265' } }));
    expect(screen.getByRole('alert').textContent).toMatch(
      /^This browser can't decode H\.265\. Set the camera to H\.264/,
    );
  });

  it('names the vehicle on the tiles and as heading, beside the labels', async () => {
    const { container } = await show(ready([1, 3]));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Bus 12 · ABC-123');
    const names = [...container.querySelectorAll('.video-tile .video-tile-vehicle')].map((name) => name.textContent);
    expect(names).toEqual(['Bus 12 · ABC-123', 'Bus 12 · ABC-123']);
  });

  describe('while pictures are missing', () => {
    const AT_MS = new Date(2026, 10, 29, 14, 3, 5).getTime();
    beforeEach(() => vi.useFakeTimers({ now: AT_MS }));
    afterEach(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });

    /** What the server says of the device; undefined: it can't be reached. */
    function answerWith(info: () => Partial<DeviceInfo> | undefined) {
      fakeSockets();
      const calls: string[] = [];
      vi.stubGlobal('fetch', async (address: string) => {
        if (!address.startsWith('/api/device/device')) return Response.json({ error: false, data: {} });
        calls.push(address);
        const data = info();
        if (data === undefined) throw new TypeError('Failed to fetch');
        const channels = { chn: 4, installchs: '1111', livechs: '1111', name: 'Bus 12', plate: 'ABC-123' };
        return new Response(JSON.stringify({ error: false, data: { ...channels, online: true, ...data } }));
      });
      return calls;
    }
    const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
    const showPicture = () => {
      const streamId = idOf(player.stream.posted.filter(({ type }) => type === 'open').at(-1) ?? { type: '' });
      act(() => player.video.say({ type: 'progress', streams: [{ streamId, decoded: 1, shown: 1, newestAgeMs: 0 }] }));
    };
    const words = () => document.querySelector('.video-tile-words')?.textContent;

    it('says since when the device is offline and from when the picture is, over the dimmed picture', async () => {
      const calls = answerWith(() => ({ online: false, seenAtMs: AT_MS + 1_000 }));
      const { container } = await show(ready([1]));
      showPicture();
      await pass(4_500);
      expect(container.querySelector('.video-tile-waiting')).toBeNull();
      expect(calls).toEqual([]);
      await pass(1_000);
      await pass(100);
      expect(screen.getByRole('progressbar')).toBeDefined();
      expect(container.querySelector('.video-tile-waiting')?.textContent).toBe(
        'Offline since 14:03:06Video from 14:03:05',
      );
      showPicture();
      expect(container.querySelector('.video-tile-waiting')).toBeNull();
    });

    it('says that the server is away, and asks again until it is back', async () => {
      let isAway = true;
      answerWith(() => (isAway ? undefined : {}));
      await show(ready([1]));
      showPicture();
      await pass(5_500);
      await pass(100);
      expect(words()).toMatch(/^Can't reach the server\..*14:03:05/);
      isAway = false;
      await pass(5_500);
      expect(words()).toMatch(/^No video at the moment/);
    });

    it('shows a lost channel as a tile that says so, without a stream, and its video once the camera is back', async () => {
      let livechs = bitsOf([2, 3, 4]);
      answerWith(() => ({ livechs }));
      const { container } = await show(ready([1, 2], { livechs }));
      expect(screen.getByRole('region', { name: 'Channel 1' }).textContent).toContain('Video loss.');
      expect(openStreams().map((query) => query.get('channel'))).toEqual(['2']);
      expect(container.querySelectorAll('.video-tile')).toHaveLength(2);
      livechs = bitsOf([1, 2, 3, 4]);
      await pass(5_500);
      expect(openStreams().map((query) => query.get('channel'))).toEqual(['2', '1']);
      expect(screen.queryByText(/Video loss/)).toBeNull();
    });
  });
});
