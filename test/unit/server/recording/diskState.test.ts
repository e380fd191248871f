import { describe, expect, it } from 'vitest';
import {
  bytesToRelease,
  type DiskState,
  QUOTA_RELEASE_BYTES,
  stateOfError,
  stateOfSpace,
} from '../../../../server/recording/diskState.ts';

const error = (code: string): Error => Object.assign(new Error(code), { code });
const FLOOR = 1_000;

describe('what a failure says of the disk', () => {
  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EROFS', 'read-only'],
    ['EACCES', 'read-only'],
    ['EIO', 'gone'],
    ['ENOENT', 'gone'],
    ['ESTALE', 'gone'],
    ['EBADF', 'failing'],
    ['EREMOTEIO', 'failing'],
    ['EMFILE', undefined],
  ])('%s: %s', (code, state) => {
    expect(stateOfError(error(code))).toBe(state);
  });
});

describe('what the free space says of it', () => {
  it.each<[number, DiskState, DiskState]>([
    [1_000, 'ok', 'ok'],
    [999, 'ok', 'low'],
    [250, 'low', 'low'],
    [249, 'low', 'full'],
    [499, 'full', 'full'],
    [500, 'full', 'low'],
    [1_000, 'full', 'ok'],
  ])('%d free, after %s: %s', (freeBytes, before, state) => {
    expect(stateOfSpace({ freeBytes, totalBytes: 10_000 }, FLOOR, before)).toBe(state);
  });
});

describe('how much of the oldest goes', () => {
  const release = (freeBytes: number, recorded: number, maximumBytes: number, state: DiskState = 'ok') =>
    bytesToRelease({ freeBytes, totalBytes: 10_000 }, recorded, { floorBytes: FLOOR, maximumBytes }, state);

  it.each([
    ['nothing above the floor', release(1_000, 500, 0), 0],
    ['what is missing to the floor, and a little more', release(800, 500, 0), 250],
    ['what is above the limit, and a little more', release(5_000, 1_100, 1_000), 150],
    ['nothing at the limit', release(5_000, 1_000, 1_000), 0],
    ['a piece at a quota that the figures do not show', release(5_000, 900, 0, 'full'), QUOTA_RELEASE_BYTES],
  ])('%s', (_what, bytes, expected) => {
    expect(bytes).toBe(expected);
  });
});
