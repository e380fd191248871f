// The playback controls in the page: what buttons, keys and fields ask of the session.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next/initReactI18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import playbackTexts from '../../../../public/locales/en/Playback.json' with { type: 'json' };
import { PlaybackControls } from '../../../../shared/player/playback/PlaybackControls.tsx';
import { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import { isForElement } from '../../../../shared/player/playback/shortcuts.ts';
import { RangeStore } from '../../../../shared/player/playback/timeline/rangeStore.ts';
import type { TimeRange } from '../../../../shared/player/playback/timeline/ranges.ts';
import type { ViewerMessage } from '../../../../shared/protocol/stream/streamMessages.ts';
import { stubBrowserParts } from '../../player/setUp.tsx';

const START = new Date(2026, 10, 20, 14, 3, 5).getTime();
const HOUR = 3_600_000;
let session: PlaybackController;
let sent: ViewerMessage[];
let tell: (positionMs: number, paused?: boolean) => void;
let refuse: (code: string) => void;

beforeAll(async () => {
  stubBrowserParts();
  await i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['Playback'],
    resources: { en: { Playback: playbackTexts } },
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
});

beforeEach(() => {
  sent = [];
  session = new PlaybackController(() => {});
  const seat = session.join({ send: (message) => sent.push(message) });
  tell = (positionMs, paused = true) =>
    seat.note({ type: 'event', event: { type: 'clock', positionMs, speed: 1, paused } });
  refuse = (code) => seat.note({ type: 'event', event: { type: 'error', code, message: 'x' } });
});
afterEach(() => {
  session.close();
  cleanup();
});

/** The controls, with one recording around the start and one two hours later; some of them may have been fetched. */
async function show(exportable: readonly number[] = [], fetched?: readonly TimeRange[]): Promise<RangeStore> {
  const ranges = [
    { fromMs: START - HOUR, toMs: START + HOUR },
    { fromMs: START + 2 * HOUR, toMs: START + 3 * HOUR },
  ];
  const store = new RangeStore({
    load: () => Promise.resolve({ ok: true, value: [{ channel: 1, ranges, ...(fetched && { fetched }) }] }),
    now: () => START,
  });
  const source = { username: 'ann', credential: 'c', deviceid: 'DEV1' };
  await act(async () => {
    tell(START);
    render(
      <PlaybackControls
        session={session}
        source={source}
        exportable={exportable}
        ranges={store}
        channels={[1]}
        startMs={START}
        screen={document.documentElement}
        keyScope="page"
      />,
    );
    await frames();
  });
  return store;
}

/** Two pictures of the screen. */
const frames = async () => {
  for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
};

const press = (name: string) => act(() => fireEvent.click(screen.getByRole('button', { name })));

describe('the playback controls', () => {
  it('rest once the link has ended, by hand and by key, until the server tells of the session again', async () => {
    await show([1]);
    const bar = () => screen.getByRole('button', { name: 'Export', hidden: true }).closest('.playback-bar');
    act(() => refuse('busy'));
    expect(bar()?.hasAttribute('inert')).toBe(false);
    act(() => refuse('link-refused'));
    expect(bar()?.hasAttribute('inert')).toBe(true);
    act(() => fireEvent.keyDown(document.body, { key: ' ' }));
    expect(sent).toEqual([]);
    act(() => tell(START));
    expect(bar()?.hasAttribute('inert')).toBe(false);
    act(() => fireEvent.keyDown(document.body, { key: ' ' }));
    expect(sent).toEqual([{ type: 'resume' }]);
  });

  it('play, step and set the speed', async () => {
    await show();
    await press('Play');
    await press('Next frame');
    await press('Previous frame');
    act(() => fireEvent.change(screen.getByRole('combobox', { name: 'Speed' }), { target: { value: '8' } }));
    expect(sent).toEqual([
      { type: 'resume' },
      { type: 'step', frames: 1 },
      { type: 'step', frames: -1 },
      { type: 'speed', speed: 8 },
    ]);
  });

  it('open a calendar, and go to the day that is selected in it', async () => {
    await show();
    const calendar = document.querySelector<HTMLInputElement>('input[type=date]') ?? expect.fail('no calendar');
    let opened = 0;
    calendar.showPicker = () => void opened++;
    await press('Select date');
    expect([opened, calendar.value]).toEqual([1, '2026-11-20']);
    fireEvent.change(calendar, { target: { value: '2026-11-18' } });
    expect(sent).toEqual([{ type: 'seek', positionMs: START - 48 * HOUR }]);
  });

  it('show the wall clock of what is shown, and go where it is told to', async () => {
    await show();
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Date and time' });
    expect(field.value).toBe('2026-11-20 14:03:05');
    fireEvent.change(field, { target: { value: 'soon' } });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(sent).toEqual([]);
    fireEvent.change(field, { target: { value: '15:00' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(sent).toEqual([{ type: 'seek', positionMs: new Date(2026, 10, 20, 15).getTime() }]);
  });

  it('are worked by the keys of every editor, and not while somebody types', async () => {
    await show();
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    expect(sent).toEqual([{ type: 'seek', positionMs: START - 5_000 }]);
    sent.length = 0;
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Date and time' }), { key: ' ' });
    expect(sent).toEqual([]);
    fireEvent.keyDown(document.body, { key: ' ' });
    fireEvent.keyDown(document.body, { key: '.' });
    expect(sent.map(({ type }) => type)).toEqual(['resume', 'step']);
  });

  it('jump to the recordings that come next and before', async () => {
    await show();
    await press('Next recording');
    await waitFor(() => expect(sent).toEqual([{ type: 'seek', positionMs: START + 2 * HOUR }]));
  });

  it('say the position to those who do not see the timeline', async () => {
    await show();
    const slider = screen.getByRole('slider', { name: 'Timeline' });
    expect(slider.getAttribute('aria-valuetext')).toContain('2026-11-20 14:03:05');
    expect(Number(slider.getAttribute('aria-valuenow'))).toBe(START / 1_000);
    expect(Number(slider.getAttribute('aria-valuemin'))).toBe(new Date(2026, 10, 20).getTime() / 1_000);
  });

  it('mark what was fetched from the device, explain the mark and say it of the position', async () => {
    await show([], [{ fromMs: START - HOUR, toMs: START + HOUR / 2 }]);
    const legend = await screen.findByText('Fetched from the device');
    expect(legend.querySelector('[aria-hidden=true]')).not.toBeNull();
    const line = document.querySelector('.playback-fetched');
    expect(line?.getAttribute('d')).toMatch(/^M\S+ 41H\S+v2H\S+z$/);
    const slider = screen.getByRole('slider', { name: 'Timeline' });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^2026-11-20 14:03:05 UTC\S*, fetched from the device$/);
    await act(async () => {
      tell(START + HOUR / 2);
      await frames();
    });
    expect(slider.getAttribute('aria-valuetext')).not.toContain('fetched');
    expect(screen.getByText('Fetched from the device')).toBeDefined();
  });

  it('jump over what was fetched beside what was recorded live: both are one recording', async () => {
    await show([], [{ fromMs: START, toMs: START + HOUR / 2 }]);
    await press('Next recording');
    await waitFor(() => expect(sent).toEqual([{ type: 'seek', positionMs: START + 2 * HOUR }]));
  });

  it('say nothing of where recordings came from while all came live', async () => {
    await show();
    expect(screen.queryByText('Fetched from the device')).toBeNull();
    expect(document.querySelector('.playback-fetched')?.getAttribute('d')).toBe('');
    const slider = screen.getByRole('slider', { name: 'Timeline' });
    expect(slider.getAttribute('aria-valuetext')).not.toContain('fetched');
  });

  it('offer an export only where the link may', async () => {
    await show();
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
    cleanup();
    await show([1]);
    expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
  });
});

describe('a key', () => {
  it('is its element’s own where that has a use for it', () => {
    document.body.innerHTML = '<button id="b">x</button><input id="i"><p id="p"></p>';
    const of = (id: string) => document.getElementById(id);
    expect(isForElement(of('b'), ' ')).toBe(true);
    expect(isForElement(of('b'), 'l')).toBe(false);
    expect(isForElement(of('i'), 'l')).toBe(true);
    expect(isForElement(of('p'), ' ')).toBe(false);
    expect(isForElement(null, ' ')).toBe(false);
  });
});
