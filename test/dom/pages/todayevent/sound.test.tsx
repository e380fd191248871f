// The page has one loudspeaker, which it keeps: a test in another file that puts one there would be heard instead of this one.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { settle } from '../../../support/browser/renderPage.tsx';
import { openTodayEvent, today } from './openTodayEvent.tsx';

/** A loudspeaker that counts. */
function fakeSound(): () => number {
  let count = 0;
  const parameter = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
  const node = { gain: parameter, frequency: parameter, connect: () => undefined, disconnect: () => undefined };
  const context = {
    state: 'running',
    destination: {},
    // Each sound has long ended when the next one begins.
    get currentTime() {
      return count * 60;
    },
    createGain: () => node,
    createOscillator: () => {
      count++;
      return { ...node, start: () => undefined, stop: () => undefined };
    },
  };
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        Object.defineProperties(this, Object.getOwnPropertyDescriptors(context));
      }
    },
  );
  return () => count;
}

test('a new event sounds, unless the user has muted the page', async () => {
  const tones = fakeSound();
  const { tell } = await openTodayEvent([today(1)]);
  expect(tones()).toBe(0);
  tell(today(4));
  await settle();
  const heard = tones();
  expect(heard).toBeGreaterThan(0);
  tell(today(4, { version: 2, count: 2 }), today(5, { type: 'video-loss', unit: 1 }));
  await settle();
  expect(tones()).toBe(heard);
  await userEvent.click(screen.getByRole('button', { name: 'Mute' }));
  expect(localStorage.getItem('events-muted')).toBe('1');
  tell(today(6, { type: 'emergency', severity: 'critical' }));
  await settle();
  expect(tones()).toBe(heard);
});
