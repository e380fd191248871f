import { describe, expect, test } from 'vitest';
import {
  embedSnippet,
  plainAddress,
  sealedAddress,
} from '../../../../pages/innerpage/membership/links/linkAddresses.ts';
import {
  checkDraft,
  firstDraft,
  type LinkDraft,
  linkOfDraft,
} from '../../../../pages/innerpage/membership/links/linkForm.ts';
import { channelsOfMask, maskOfChannels } from '../../../../shared/protocol/api/links.ts';
import { parseLocalPlaybackPath, parseRemotePlaybackPath } from '../../../../shared/protocol/playbackPath.ts';
import { openLink, parsePlainLink } from '../../../../shared/protocol/videoLink.ts';

const MADE = { id: 1, device: 'BUS1@5', username: 'Chen / "Yu"', credential: 'abc' };
const PLACE = { origin: 'https://fleet.example', linkKey: 'ab'.repeat(32), fromMs: Date.UTC(2026, 6, 1, 12) + 999 };
const parts = { device: 'BUS1@5', username: 'Chen / "Yu"', credential: 'abc' };

describe('the addresses of a link', () => {
  test('are what the three pages read', () => {
    const path = (kind: 'live' | 'playback' | 'remote') =>
      new URL(plainAddress(MADE, kind, PLACE)).pathname.replace(/^\/\w+\//, '');
    expect(parsePlainLink(path('live'))).toEqual(parts);
    const start = Date.UTC(2026, 6, 1, 12) / 1000;
    expect(parseLocalPlaybackPath(path('playback'))).toEqual({ ...parts, start, streamId: '0' });
    expect(parseRemotePlaybackPath(path('remote'))).toEqual({ ...parts, start, durationSeconds: 600 });
  });

  test('are sealed under the key of the installation', () => {
    const address = sealedAddress(MADE, PLACE);
    const hex = /^https:\/\/fleet\.example\/live\/([0-9a-f]+)$/.exec(address)?.[1] ?? '';
    expect(openLink(hex, PLACE.linkKey)).toEqual(parts);
    expect(openLink(hex, 'cd'.repeat(32))).toBeUndefined();
  });

  test('stand in a snippet that means nothing else than the address', () => {
    const snippet = embedSnippet('https://a.example/x?a="><script>&b');
    expect(snippet).toMatch(/^<iframe src="[^"<]*" width="640" /);
    expect(snippet).toContain('src="https://a.example/x?a=&quot;>&lt;script>&amp;b"');
  });
});

describe('the form of a link', () => {
  const NOW = Date.UTC(2026, 6, 1, 12, 0, 31);
  const texts = { noDevice: 'd', noChannel: 'c', noKind: 'k', alone: 'a', badTimestamp: 'b', past: 'p' };
  const good: LinkDraft = { ...firstDraft(NOW), deviceid: 'BUS1', channels: ['1', '3'] };
  const check = (part: Partial<LinkDraft>) => {
    const found = Object.entries(checkDraft({ ...good, ...part }, texts, NOW));
    return Object.fromEntries(found.filter(([, text]) => text !== undefined));
  };

  test('begins with live view for a week, to the minute', () => {
    expect(firstDraft(NOW)).toMatchObject({ kinds: ['live'], untilMs: Date.UTC(2026, 6, 8, 12) });
    expect(check({})).toEqual({});
  });

  test.each([
    [{ deviceid: '', channels: [] }, { deviceid: 'd' }],
    [{ channels: [] }, { channels: 'c' }],
    [{ kinds: [] }, { kinds: 'k' }],
    [{ kinds: ['export', 'control'] }, { kinds: 'a' }],
    [{ kinds: ['export', 'playback'] }, {}],
    [{ untilMs: NOW }, { untilMs: 'p' }],
    [{ untilMs: Number.NaN }, { untilMs: 'b' }],
    [{ untilMs: null }, {}],
  ] as const)('with %j says %j', (part, problems) => {
    expect(check(part)).toEqual(problems);
  });

  test('is sent with numbers, and 0 for no end', () => {
    expect(linkOfDraft({ ...good, untilMs: null, note: 'n' })).toEqual({
      deviceid: 'BUS1',
      channels: [1, 3],
      kinds: ['live'],
      untilMs: 0,
      note: 'n',
    });
  });
});

test('channels and masks mean the same, the 32nd included', () => {
  expect(maskOfChannels([1, 3, 3])).toBe(5);
  expect(maskOfChannels([32])).toBe(2 ** 31);
  expect(channelsOfMask(5)).toEqual([1, 3]);
  const all = channelsOfMask(2 ** 32 - 1);
  expect(all).toHaveLength(32);
  expect(maskOfChannels(all)).toBe(2 ** 32 - 1);
});
