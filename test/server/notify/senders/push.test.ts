import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, createSecretBox } from '../../../../server/auth/secretBox.ts';
import type { OutgoingMessage } from '../../../../server/notify/outgoing.ts';
import { PushBrowsers } from '../../../../server/notify/senders/push/pushBrowsers.ts';
import { createPushTransport } from '../../../../server/notify/senders/push/pushTransport.ts';
import { createVapidKeys, loadOrMakeVapidKeys } from '../../../../server/notify/senders/push/vapidKeys.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { type BrowserKeys, createBrowserKeys } from '../../../support/notify/browserKeys.ts';
import { type HttpSink, type SinkAnswer, startHttpSink, type TakenRequest } from '../../../support/notify/httpSink.ts';
import { anOutgoing, aSender, KEY, send } from '../../../support/notify/outgoing.ts';
import { createTestOutbound } from '../../../support/notify/testOutbound.ts';
import { openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

let database: TestDatabase;
let stores: Stores;
const open: HttpSink[] = [];
beforeEach(async () => {
  database = await openTestDatabase('sqlite');
  stores = createStores(database.db);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
  await database.close();
});

const NOW = wallMs(1_795_000_000_000);
const created: SinkAnswer = (response) => void response.writeHead(201).end();

/** A member, push services of the test's own and a transport that reaches them. */
async function createPushScene() {
  const userId = await stores.users.insert({ username: 'ann', passwordHash: '', permissions: [] }, NOW);
  const outbound = createTestOutbound({ totalMs: 1_000 });
  const box = createSecretBox(createKey());
  const keys = createVapidKeys();
  const vapidKeys = async () => keys;
  const directory = { all: async () => [] };
  const deps = { store: stores.pushSubscriptions, box, guard: outbound.guard, directory, vapidKeys, now: () => NOW };
  const browsers = new PushBrowsers(deps);
  const transport = createPushTransport({ ...outbound, browsers, vapidKeys });
  const allow = async (answer: SinkAnswer = created): Promise<{ sink: HttpSink; browser: BrowserKeys }> => {
    const sink = await startHttpSink(answer);
    open.push(sink);
    const browser = createBrowserKeys();
    await browsers.allow(
      userId,
      browser.subscription(`http://127.0.0.1:${sink.port}/push/secret-path-of-browser`),
      'Firefox',
    );
    return { sink, browser };
  };
  const push = (message: Partial<OutgoingMessage> = {}) =>
    send({
      transport,
      sender: aSender('push', { contact: 'mailto:admin@example.com' }),
      message: anOutgoing({ destination: memberOf(userId), ...message }),
    });
  return { userId, browsers, allow, push, keys, box };
}

function memberOf(userId: number): OutgoingMessage['destination'] {
  return { to: 'member', userId, name: 'Ann', address: '', language: 'en', timeZone: '' };
}

const first = (sink: HttpSink): TakenRequest => {
  const [request] = sink.requests;
  if (request === undefined) throw new Error('nothing was pushed');
  return request;
};

describe('a message to a browser', () => {
  it('is encrypted for it as RFC 8291 has it, and signed for its push service as RFC 8292 has it', async () => {
    const scene = await createPushScene();
    const { sink, browser } = await scene.allow();
    const sent = await scene.push();
    expect(sent.outcome).toBe('sent');
    const { headers, body } = first(sink);
    expect(JSON.parse(browser.decrypt(body))).toEqual({
      title: 'Speeding: Bus 1',
      body: 'Bus 1 drives 94 km/h.',
      link: 'https://fleet.example/historyevent?event=7',
      key: KEY,
    });
    expect(() => createBrowserKeys().decrypt(body)).toThrow();
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'high',
      topic: KEY.replaceAll('-', ''),
    });
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
    expect(key).toBe(scene.keys.publicKey);
    expect(claimsOf(token, scene.keys.publicKey)).toMatchObject({
      aud: `http://127.0.0.1:${sink.port}`,
      sub: 'mailto:admin@example.com',
    });
    expect(sent.told).not.toContain('secret-path');
    expect(await scene.browsers.browsersOf(scene.userId)).toMatchObject([{ userAgent: 'Firefox', lastUsedAtMs: NOW }]);
  });

  it.each(['巴士 1 '.repeat(2_000), '"\\'.repeat(4_000), '😀'.repeat(3_000)])(
    'is cut to what push services take, on a character',
    async (body) => {
      const scene = await createPushScene();
      const { sink, browser } = await scene.allow();
      expect((await scene.push({ body })).outcome).toBe('sent');
      const payload = browser.decrypt(first(sink).body);
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_072);
      expect(Buffer.byteLength(payload)).toBeGreaterThan(2_000);
      const shown = (JSON.parse(payload) as { readonly body: string }).body;
      expect(body.startsWith(shown)).toBe(true);
      expect(shown).not.toMatch(/[\ud800-\udbff]$/);
      expect(first(sink).body.length).toBeLessThan(4_096);
    },
  );

  it('goes to each browser of the member; those that are gone are forgotten', async () => {
    const scene = await createPushScene();
    const gone = await scene.allow((response) => void response.writeHead(410).end());
    const missing = await scene.allow((response) => void response.writeHead(404).end());
    const there = await scene.allow();
    expect((await scene.push()).outcome).toBe('sent');
    for (const { sink } of [gone, missing, there]) expect(sink.requests).toHaveLength(1);
    expect(await scene.browsers.browsersOf(scene.userId)).toHaveLength(1);
    await scene.push();
    expect([gone, missing, there].map(({ sink }) => sink.requests.length)).toEqual([1, 1, 2]);
  });

  it('is logged without the address of the browser, which its push service may name', async () => {
    const scene = await createPushScene();
    await scene.allow((response, { path }) => void response.writeHead(400).end(`no ${path}`));
    const sent = await scene.push();
    expect(sent.answer).toMatch(/^127\.0\.0\.1:\d+: HTTP 400 Bad Request: no \/.*•••$/);
    expect(sent.told).not.toContain('secret-path');
  });

  it('has nobody to go to once all browsers are gone', async () => {
    const scene = await createPushScene();
    await scene.allow((response) => void response.writeHead(410).end());
    const refused = { outcome: 'refused', answer: 'the member has no browser that takes notifications' };
    expect(await scene.push()).toMatchObject(refused);
    expect(await scene.push()).toMatchObject(refused);
    expect(await scene.push({ destination: { to: 'service' } })).toMatchObject(refused);
  });

  it('is tried again while a push service fails or hangs, and not when another browser took it', async () => {
    const scene = await createPushScene();
    const failing = await scene.allow((response) => void response.writeHead(500).end());
    const hanging = await scene.allow(() => undefined);
    const answer = await scene.push();
    expect(answer.outcome).toBe('retry');
    expect(answer.answer).toContain('HTTP 500');
    expect([failing, hanging].map(({ sink }) => sink.requests.length)).toEqual([1, 1]);
    await scene.allow();
    expect((await scene.push()).outcome).toBe('sent');
    expect(await scene.browsers.browsersOf(scene.userId)).toHaveLength(3);
  });
});

function claimsOf(token: string, publicKey: string): unknown {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, options, Buffer.from(signature, 'base64url'))).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

describe('a browser', () => {
  it('of another member is not reached, and its keys do not open for somebody else', async () => {
    const scene = await createPushScene();
    const { sink } = await scene.allow();
    const other = await stores.users.insert({ username: 'bob', passwordHash: '', permissions: [] }, NOW);
    expect(await scene.browsers.subscriptionsOf(other)).toEqual([]);
    await database.db.updateTable('push_subscription').set({ user_id: other }).execute();
    expect(await scene.browsers.subscriptionsOf(other)).toEqual([]);
    expect(sink.requests).toEqual([]);
  });

  it.each([
    ['https://push.example/a', true],
    ['http://127.0.0.1:9/a', true],
    ['http://push.example/a', false],
    ['http://8.8.8.8/a', false],
    ['http://10.0.0.1/a', false],
    ['ftp://push.example/a', false],
    ['https://', false],
  ])('can be reached at %s: %s', async (endpoint, expected) => {
    expect((await createPushScene()).browsers.mayReach(endpoint)).toBe(expected);
  });
});

describe('the key pair of the installation', () => {
  it('is made once, and its private part is kept sealed', async () => {
    const box = createSecretBox(createKey());
    const { settings } = stores;
    const keys = await Promise.all([loadOrMakeVapidKeys({ settings, box }), loadOrMakeVapidKeys({ settings, box })]);
    expect(keys[1]).toEqual(keys[0]);
    expect(await loadOrMakeVapidKeys({ settings, box })).toEqual(keys[0]);
    expect(await settings.get('notify.vapid')).not.toContain(keys[0].privateKey);
  });

  it('is made anew when the key of the box is lost', async () => {
    const { settings } = stores;
    const before = await loadOrMakeVapidKeys({ settings, box: createSecretBox(createKey()) });
    const box = createSecretBox(createKey());
    const after = await loadOrMakeVapidKeys({ settings, box });
    expect(after.publicKey).not.toBe(before.publicKey);
    expect(await loadOrMakeVapidKeys({ settings, box })).toEqual(after);
  });
});
