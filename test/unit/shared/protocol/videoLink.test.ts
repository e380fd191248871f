import { describe, expect, it } from 'vitest';
import { openLink, parsePlainLink, sealLink } from '../../../../shared/protocol/videoLink.ts';

const KEY = 'ab'.repeat(32);
const LINK = { device: 'BUS/1@3', username: 'Zoë', credential: 'a1B2' };

describe('parsePlainLink', () => {
  it.each([
    ['DEV@3/u/c', { device: 'DEV@3', username: 'u', credential: 'c' }],
    ['DEV/u/c/', { device: 'DEV', username: 'u', credential: 'c' }],
    ['A%2FB/%E5%BC%B5/c%20d', { device: 'A/B', username: '張', credential: 'c d' }],
    ['DEV//c', { device: 'DEV', username: '', credential: 'c' }],
  ])('reads %s', (path, expected) => {
    expect(parsePlainLink(path)).toEqual(expected);
  });

  it.each(['DEV', 'DEV/u', 'DEV/u/c/d', '', 'DEV/u/%E0%A4'])('refuses %j', (path) => {
    expect(parsePlainLink(path)).toBeUndefined();
  });
});

describe('a sealed link', () => {
  it.each([KEY, null, undefined, 'no key'])('opens with the key %s it was sealed with', (key) => {
    const hex = sealLink(LINK, key);
    expect(hex).toMatch(/^[0-9a-f]+$/);
    expect(openLink(hex, key)).toEqual(LINK);
    expect(openLink(hex.toUpperCase(), key)).toEqual(LINK);
  });

  it('never looks the same twice and shows nothing of its text', () => {
    expect(sealLink(LINK, KEY)).not.toBe(sealLink(LINK, KEY));
    expect(sealLink(LINK, KEY)).not.toContain(Buffer.from('a1B2').toString('hex'));
  });

  it('stays shut with another key, one digit changed, cut, or no hex at all', () => {
    const hex = sealLink(LINK, KEY);
    const flipped = (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
    expect(openLink(hex, null)).toBeUndefined();
    for (const bad of [flipped, hex.slice(0, -2), hex.slice(1), '', 'zz', '00'.repeat(28), `${hex}/x`]) {
      expect(openLink(bad, KEY)).toBeUndefined();
    }
  });
});
