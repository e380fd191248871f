import { describe, expect, it } from 'vitest';
import { entryOf } from '../../vite.config.ts';

describe('entryOf', () => {
  it.each([
    ['/live/BUS-101@3/ann/secret', 'live'],
    ['/playback/BUS-101/ann/secret', 'playback'],
    ['/remote', 'remote'],
    ['/', 'shell'],
    ['/dashboard', 'shell'],
    ['/livestock', 'shell'],
  ])('answers %s with the entry %s', (path, entry) => {
    expect(entryOf(path)).toBe(entry);
  });

  it.each([
    '/api/device/device',
    '/stream/liveview/video.fuho',
    '/locales/load/en/common',
    '/healthz',
    '/innerpage/login.html',
  ])('leaves %s to who owns it', (path) => {
    expect(entryOf(path)).toBeUndefined();
  });
});
