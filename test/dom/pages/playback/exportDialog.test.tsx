// An export as its dialog shows it: until the server has answered, while it waits, and once it is over.
import { readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next/initReactI18next';
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import errorTexts from '../../../../public/locales/en/Errors.json' with { type: 'json' };
import playbackTexts from '../../../../public/locales/en/Playback.json' with { type: 'json' };
import { ExportDialog } from '../../../../shared/player/playback/export/ExportDialog.tsx';
import { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import type { RangeStore } from '../../../../shared/player/playback/timeline/rangeStore.ts';

const SOURCE = { username: 'ann', credential: 'c', deviceid: 'DEV1' };
const ASK_INTERVAL_MS = 700;

/** What the server says of the export; undefined while it does not know it. */
let progress: { readonly state: string; readonly share: number } | undefined;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['Playback', 'Errors'],
    resources: { en: { Playback: playbackTexts, Errors: errorTexts } },
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
});

interface HappyDom {
  readonly settings: {
    enableIframePageLoading: boolean;
    readonly fetch: { interceptor: { beforeAsyncRequest(): Promise<Response> } | null };
  };
}

const { settings } = (window as unknown as { readonly happyDOM: HappyDom }).happyDOM;
// A download is a frame that loads nothing.
settings.enableIframePageLoading = true;
settings.fetch.interceptor = { beforeAsyncRequest: () => new Promise(() => {}) };

beforeEach(() => {
  progress = undefined;
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', (address: string) => Promise.resolve(answer(address)));
});

afterEach(() => {
  cleanup();
  for (const frame of frames()) frame.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function answer(address: string): Response {
  if (address.includes('/export/cancel')) return Response.json({ error: false, data: {} });
  if (address.includes('/export/progress') && progress !== undefined) {
    return Response.json({ error: false, data: progress });
  }
  return Response.json({ error: true, code: 'no-such-export', message: 'x' }, { status: 404 });
}

const frames = () => [...document.querySelectorAll('iframe')];
const status = () => screen.getByRole('status').textContent;
const bar = () => screen.getByRole<HTMLProgressElement>('progressbar', { hidden: true });
const isBarSeen = () => bar().style.visibility !== 'hidden';
const nextAnswer = () => act(() => vi.advanceTimersByTimeAsync(ASK_INTERVAL_MS));

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name, hidden: true }));
  await act(() => vi.advanceTimersByTimeAsync(0));
}

/** Gives the end of a stream with an error code, and its clock, as the server tells them. */
async function open() {
  const session = new PlaybackController(() => {});
  onTestFinished(() => session.close());
  const slot = session.join({ send: () => {} });
  const tell = (): void =>
    slot.note({ type: 'event', event: { type: 'clock', positionMs: Date.UTC(2025, 0, 1), speed: 1, paused: true } });
  const refuse = (code: string): void => slot.note({ type: 'event', event: { type: 'error', code, message: 'x' } });
  tell();
  const ranges = { hasAny: () => Promise.resolve(true) } as unknown as RangeStore;
  await act(async () => {
    render(<ExportDialog source={SOURCE} channels={[1]} onClose={() => {}} session={session} ranges={ranges} />);
  });
  return { tell: () => act(async () => tell()), refuse: (code: string) => act(async () => refuse(code)) };
}

it('is starting until the server has said something of it, and its bar has its place before and after', async () => {
  await open();
  expect([status(), isBarSeen()]).toEqual(['', false]);
  await press('Start export');
  expect([status(), isBarSeen(), bar().hasAttribute('value')]).toEqual(['Starting the export…', true, false]);
  await nextAnswer();
  expect(status()).toBe('Starting the export…');
  progress = { state: 'waiting', share: 0 };
  await nextAnswer();
  expect([status(), bar().hasAttribute('value')]).toEqual(['Waiting for other exports…', false]);
  progress = { state: 'running', share: 0.5 };
  await nextAnswer();
  expect([status(), isBarSeen(), bar().value]).toEqual(['Downloading…', true, 0.5]);
  progress = { state: 'done', share: 1 };
  await nextAnswer();
  expect([status(), isBarSeen()]).toEqual(['Export complete.', false]);
});

it('is downloaded through a frame, which the dialog leaves behind and an answer that is no mp4 takes away', async () => {
  await open();
  await press('Start export');
  const [frame] = frames();
  expect(frame?.getAttribute('src')).toContain('/api/playback/local/export?');
  cleanup();
  expect(frame?.isConnected).toBe(true);
  frame?.dispatchEvent(new Event('load'));
  expect(frame?.isConnected).toBe(false);
});

it('can be cancelled before it has begun', async () => {
  await open();
  await press('Start export');
  await press('Cancel export');
  await nextAnswer();
  expect(status()).toBe('Export canceled.');
});

it('can be started only while the link opens the recordings', async () => {
  const { tell, refuse } = await open();
  const start = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Start export', hidden: true });
  await refuse('slow-down');
  expect(start().disabled).toBe(false);
  await refuse('link-refused');
  expect(start().disabled).toBe(true);
  await tell();
  expect(start().disabled).toBe(false);
});

it('has a background of its own where no bar of controls stands around it', async () => {
  const style = document.createElement('style');
  style.textContent = readFileSync('shared/player/playback/playbackControls.css', 'utf8');
  document.head.append(style);
  onTestFinished(() => style.remove());
  await open();
  const dialog = document.querySelector('dialog') ?? expect.fail('no dialog');
  expect(getComputedStyle(dialog).getPropertyValue('--bar')).toMatch(/^#[0-9a-f]{6}$/);
});
