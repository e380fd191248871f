import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import {
  allowHere,
  forgetHere,
  lookAtBrowser,
  type PushFacts,
  type PushState,
  pushStateOf,
} from '../../../../pages/innerpage/account/push/browserPush.ts';
import { base64Url } from '../../../../pages/innerpage/account/push/pushPlatform.ts';
import { browserOf, fakePlatform, KEY } from '../../../support/fakes/fakePush.ts';

const ALLOWED: PushFacts = {
  isSecure: true,
  isSupported: true,
  hasSender: true,
  permission: 'granted',
  isKnown: true,
};

test.each<[PushState, Partial<PushFacts>]>([
  ['allowed', {}],
  ['insecure', { isSecure: false, isSupported: false }],
  ['unsupported', { isSupported: false }],
  ['no-sender', { hasSender: false, permission: 'denied' }],
  ['denied', { permission: 'denied' }],
  ['available', { permission: 'default' }],
  ['available', { isKnown: false }],
])('a browser is %s with %j', (state, part) => {
  expect(pushStateOf({ ...ALLOWED, ...part })).toBe(state);
});

describe('this browser', () => {
  it('is found among those that the gateway knows, by the hash of its endpoint', async () => {
    const platform = fakePlatform({ permission: 'granted', subscribedFor: KEY });
    const browsers = [browserOf(3, 'https://push.example/other'), browserOf(4, platform.endpoint)];
    expect(await lookAtBrowser(platform, { pushKey: KEY, browsers })).toEqual({ state: 'allowed', browser: 4 });
    expect(await lookAtBrowser(platform, { pushKey: KEY, browsers: [] })).toEqual({
      state: 'available',
      browser: undefined,
    });
  });

  it('has to be allowed again when the installation has another key', async () => {
    const platform = fakePlatform({ permission: 'granted', subscribedFor: 'older' });
    const browsers = [browserOf(4, platform.endpoint)];
    expect(await lookAtBrowser(platform, { pushKey: KEY, browsers })).toEqual({ state: 'available', browser: 4 });
  });

  it('is not asked for anything over plain HTTP', async () => {
    const platform = fakePlatform({ isSecure: false });
    expect(await lookAtBrowser(platform, { pushKey: KEY, browsers: [] })).toMatchObject({ state: 'insecure' });
    expect(platform.asked).toEqual([]);
  });
});

describe('allowing notifications', () => {
  it('asks the user, then the push service, then the gateway', async () => {
    const platform = fakePlatform();
    const sent: unknown[] = [];
    const send = async (subscription: unknown) => {
      sent.push(subscription);
      return { ok: true, value: {} } as const;
    };
    expect(await allowHere(platform, KEY, send)).toEqual({ kind: 'allowed' });
    expect(platform.asked).toEqual(['permission', 'subscribed', `subscribe ${KEY}`]);
    expect(sent).toEqual([{ endpoint: platform.endpoint, p256dh: 'p256dh', auth: 'auth' }]);
  });

  it('gives up a subscription for an older key first', async () => {
    const platform = fakePlatform({ subscribedFor: 'older' });
    await allowHere(platform, KEY, async () => ({ ok: true, value: {} }));
    expect(platform.asked).toEqual(['permission', 'subscribed', 'unsubscribe', `subscribe ${KEY}`]);
  });

  it.each([
    ['denied', 'denied'],
    ['default', 'dismissed'],
  ] as const)('ends where the user answers %s', async (answer, kind) => {
    const platform = fakePlatform({ answer });
    expect(await allowHere(platform, KEY, () => expect.fail('not to be sent'))).toEqual({ kind });
    expect(platform.asked).toEqual(['permission']);
  });

  it('says what failed: the push service, or the gateway', async () => {
    const failure = { ok: false, kind: 'network', message: 'down' } as const;
    expect(await allowHere(fakePlatform(), KEY, async () => failure)).toEqual({ kind: 'refused', failure });
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    onTestFinished(() => warn.mockRestore());
    const platform = fakePlatform({ isUnreachable: true });
    expect(await allowHere(platform, KEY, async () => failure)).toEqual({ kind: 'unreachable' });
  });

  it('is taken back', async () => {
    const platform = fakePlatform({ subscribedFor: KEY });
    await forgetHere(platform);
    expect(platform.asked).toEqual(['subscribed', 'unsubscribe']);
  });
});

test('keys are written as the Web Push contract has them', () => {
  expect(base64Url(new Uint8Array([251, 255, 190, 0]).buffer)).toBe('-_--AA');
  expect(base64Url(null)).toBe('');
});
