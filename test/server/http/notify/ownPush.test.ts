import { afterEach, beforeEach, expect, it } from 'vitest';
import { senderFields } from '../../../support/notify/aSenderRecord.ts';
import { createBrowserKeys } from '../../../support/notify/browserKeys.ts';
import { startHttpSink } from '../../../support/notify/httpSink.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PATH = '/api/user/push';

let test: TestApp;
let ann: number;
beforeEach(async () => {
  test = await createTestApp({ NOTIFY_NETWORKS: '127.0.0.0/8' });
  ann = await test.addUser('ann', ['system', 'sender']);
  await test.addUser('bob');
});
afterEach(() => test.close());

async function ask(method: 'POST' | 'DELETE', url: string, body?: object, as = 'ann') {
  const headers = { cookie: await cookieFor(test, as), 'user-agent': 'Firefox' };
  const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return { status: answer.statusCode, ...(answer.json() as { code?: string; data: Record<string, unknown> }) };
}

it('a member allows a browser, is told there, and removes it', async () => {
  const sink = await startHttpSink((response) => void response.writeHead(201).end());
  const browser = createBrowserKeys();
  const allowed = await ask('POST', PATH, browser.subscription(`http://127.0.0.1:${sink.port}/p/hidden`));
  expect(allowed.status).toBe(200);
  const { id } = allowed.data;
  expect(await test.stores.pushSubscriptions.listOf(ann)).toMatchObject([{ id, userAgent: 'Firefox' }]);

  const sender = senderFields({ kind: 'push', settings: { contact: 'mailto:admin@example.com' } });
  const sent = await ask('POST', '/api/sender/test', { id: null, sender, to: '' });
  expect(sent.data).toMatchObject({ isSent: true });
  expect(browser.decrypt(sink.requests[0]?.body ?? Buffer.alloc(0))).toContain('test message');
  await sink.close();

  expect(await ask('DELETE', `${PATH}/${id}`, undefined, 'bob')).toMatchObject({ status: 404, code: 'not-found' });
  expect(await ask('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200 });
  expect(await test.stores.pushSubscriptions.listOf(ann)).toEqual([]);
  const audit = await test.stores.audit.list({ limit: 10 });
  expect(audit.map(({ action }) => action)).toEqual(['push.remove', 'sender.test', 'push.allow']);
  expect(JSON.stringify(audit) + test.logged()).not.toContain('hidden');
});

it.each([
  ['an address that nobody may reach', { endpoint: 'http://10.0.0.1/p' }, { endpoint: 'not-allowed' }],
  ['plain HTTP on the internet', { endpoint: 'http://push.example/p' }, { endpoint: 'not-allowed' }],
  ['a key that is no point of the curve', { p256dh: 'A'.repeat(87) }, { p256dh: 'bad-format' }],
])('%s is refused', async (_name, changes, fields) => {
  const body = { ...createBrowserKeys().subscription('https://push.example/p'), ...changes };
  expect(await ask('POST', PATH, body)).toMatchObject({ status: 422, data: { fields } });
  expect(await test.stores.pushSubscriptions.listOf(ann)).toEqual([]);
});

it('nobody allows a browser without a session', async () => {
  const body = createBrowserKeys().subscription('https://push.example/p');
  const answer = await test.request({ method: 'POST', url: PATH, body });
  expect(answer.statusCode).toBe(401);
});
