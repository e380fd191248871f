import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sender, SenderContent, SenderTestResult } from '../../../../shared/protocol/api/notify/senders.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { MAIL_SETTINGS, senderFields } from '../../../support/notify/aSenderRecord.ts';
import { type HttpSink, startHttpSink } from '../../../support/notify/httpSink.ts';
import { startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { startSyslogSink } from '../../../support/notify/syslogSink.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const SENDERS = '/api/sender/senders';
const TEST = '/api/sender/test';
const SECRET = 'hidden password';

interface Answer<Data> {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Data;
  readonly text: string;
}

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ NOTIFY_NETWORKS: '127.0.0.0/8' });
  await test.addUser('root', ALL_PERMISSIONS);
  await test.addUser('clerk', ['system']);
  await test.addUser('editor', ['sender']);
});
afterEach(() => test.close());

async function ask<Data>(
  method: NonNullable<InjectOptions['method']>,
  url: string,
  body?: object,
  as = 'root',
): Promise<Answer<Data>> {
  const headers = { cookie: await cookieFor(test, as) };
  const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  const { code, data } = answer.json();
  return { status: answer.statusCode, code, data, text: answer.body };
}

async function add(content: Partial<SenderContent> = {}): Promise<Sender> {
  const answer = await ask<Sender>('POST', SENDERS, { ...senderFields(), secret: SECRET, ...content });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

const auditOf = async () =>
  (await test.stores.audit.list({ limit: 20 })).filter(({ action }) => /^sender/.test(action));

describe('senders', () => {
  it('are added, changed and deleted; what they are is told to all pages, their secret to nobody', async () => {
    const added = await add({ name: '  Mail ' });
    expect(added).toEqual({
      ...senderFields(),
      id: added.id,
      version: 1,
      hasSecret: true,
      failures: 0,
      lastSentAtMs: 0,
      lastFailureAtMs: 0,
      lastFailure: '',
      waiting: 0,
    });
    const path = `${SENDERS}/${added.id}`;
    const changed = await ask<Sender>('PUT', path, { ...senderFields({ name: 'Post', perMinute: 0 }), version: 1 });
    expect(changed.data).toMatchObject({ name: 'Post', perMinute: 0, hasSecret: true, version: 2 });
    const rekeyed = await ask<Sender>('PUT', path, { ...senderFields(), secret: `${SECRET} 2`, version: 2 });
    expect(rekeyed.data).toMatchObject({ name: 'Mail', version: 3 });
    const list = await ask<{ rows: Sender[] }>('GET', SENDERS);
    expect(list.data.rows).toEqual([rekeyed.data]);
    const file = await test.download(`${SENDERS}/csv`, await cookieFor(test, 'root'));
    expect(file.body).toContain(`\r\n${added.id},Mail,email,true,60,0,,0,,\r\n`);
    expect((await ask('DELETE', `${path}?version=3`)).status).toBe(200);
    expect(test.changed).toEqual(['sender', 'sender', 'sender', 'sender']);
    const audit = await auditOf();
    expect(audit.map(({ action, target }) => [action, target])).toEqual([
      ['sender.remove', 'Mail'],
      ['sender.change', 'Mail'],
      ['sender.change', 'Post'],
      ['sender.add', 'Mail'],
    ]);
    expect(audit[1]).toMatchObject({ before: { secret: 'set' }, after: { secret: 'changed' } });
    const told = [changed, rekeyed, list].map(({ text }) => text).join('') + file.body + JSON.stringify(audit);
    expect(told + test.logged()).not.toContain('hidden');
  });

  it('keep their secret sealed for themselves', async () => {
    const { id } = await add();
    const stored = await test.stores.notifySenders.find(id);
    expect(stored?.sealedSecret).toMatch(/^v1\./);
    expect(stored?.sealedSecret).not.toContain(SECRET);
  });

  it('leave credentials in addresses and headers out of the audit', async () => {
    const settings = { url: 'https://hooks.example/T1/hidden', headers: [{ name: 'X-Key', value: 'hidden' }] };
    await add({ kind: 'webhook', settings });
    const [entry] = await auditOf();
    expect(entry?.after).toMatchObject({
      settings: { url: expect.stringMatching(/^https:\/\/hooks\.example\/… \(\w{8}\)$/) },
    });
    expect(JSON.stringify(entry)).not.toContain('hidden');
    const body = 'user=fleet&password=hidden&to={{to}}&text={{text}}';
    await add({ kind: 'sms', settings: { method: 'POST', url: 'https://sms.example/', headers: [], body } });
    const [sms] = await auditOf();
    expect(sms?.after).toMatchObject({ settings: { method: 'POST', body: expect.stringMatching(/^… \(\w{8}\)$/) } });
    expect(JSON.stringify(sms)).not.toContain('hidden');
  });

  it.each(['clerk', 'editor'])('are nobody else’s: %s', async (username) => {
    const { id } = await add();
    const calls = [
      ['GET', SENDERS],
      ['POST', SENDERS, senderFields()],
      ['PUT', `${SENDERS}/${id}`, { ...senderFields(), version: 1 }],
      ['DELETE', `${SENDERS}/${id}?version=1`],
      ['POST', `${SENDERS}/csv`],
      ['POST', TEST, { id, sender: senderFields(), to: 'ann@example.com' }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect(await ask(method, url, body, username)).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  it('that somebody else has changed or deleted meanwhile are a conflict, or gone', async () => {
    const { id } = await add();
    const path = `${SENDERS}/${id}`;
    await ask('PUT', path, { ...senderFields({ name: 'Other' }), version: 1 });
    const conflict = {
      status: 409,
      code: 'conflict',
      data: { current: { name: 'Other', version: 2, hasSecret: true } },
    };
    expect(await ask('PUT', path, { ...senderFields(), version: 1 })).toMatchObject(conflict);
    expect(await ask('DELETE', `${path}?version=1`)).toMatchObject(conflict);
    await ask('DELETE', `${path}?version=2`);
    const gone = { status: 404, code: 'no-such-sender' };
    expect(await ask('PUT', path, { ...senderFields(), version: 2 })).toMatchObject(gone);
    expect(await ask('DELETE', `${path}?version=2`)).toMatchObject(gone);
    expect(await ask('POST', TEST, { id, sender: senderFields(), to: 'ann@example.com' })).toMatchObject(gone);
  });
});

describe('a field', () => {
  const webhook = { kind: 'webhook', settings: { url: 'https://hooks.example/', headers: [] } } as const;
  const sms = {
    kind: 'sms',
    settings: { method: 'POST', url: 'https://sms.example/', headers: [], body: '' },
  } as const;
  const header = (name: string, value = 'a') => [{ name, value }];

  it.each<[string, Partial<SenderContent>, Record<string, string>]>([
    ['no name', { name: '  ' }, { name: 'required' }],
    [
      'a host, port and address that are none',
      { settings: { ...MAIL_SETTINGS, host: 'a b', port: 0, fromAddress: 'x\r\nBcc: y@z' } },
      {
        'settings.host': 'bad-format',
        'settings.port': 'out-of-range',
        'settings.fromAddress': 'bad-format',
      },
    ],
    [
      'a line break in a name',
      { settings: { ...MAIL_SETTINGS, fromName: 'a\nb' } },
      { 'settings.fromName': 'bad-format' },
    ],
    ['an empty host', { settings: { ...MAIL_SETTINGS, host: '' } }, { 'settings.host': 'required' }],
    ['a security that is none', { settings: { ...MAIL_SETTINGS, security: 'x' } }, { 'settings.security': 'unknown' }],
    ['a username without a password', { secret: '' }, { secret: 'required' }],
    [
      'settings of another kind',
      { ...webhook, settings: { url: 'https://hooks.example/', port: 7 } },
      { 'settings.headers': 'required', 'settings.port': 'not-allowed' },
    ],
    [
      'a URL that is none',
      { ...webhook, settings: { ...webhook.settings, url: 'http://' } },
      { 'settings.url': 'bad-format' },
    ],
    [
      'credentials in the URL of a webhook',
      { ...webhook, settings: { ...webhook.settings, url: 'https://a:b@hooks.example/' } },
      { 'settings.url': 'not-allowed' },
    ],
    [
      "a header of the gateway's own",
      { ...webhook, settings: { ...webhook.settings, headers: header('Content-Length') } },
      { 'settings.headers.0.name': 'not-allowed' },
    ],
    [
      'a line break in a header',
      { ...webhook, settings: { ...webhook.settings, headers: header('X-A', 'a\r\nb') } },
      { 'settings.headers.0.value': 'bad-format' },
    ],
    [
      'an unknown placeholder',
      { ...sms, settings: { ...sms.settings, body: '{{to}} {{password}}', headers: header('X-A', '{{x}}') } },
      { 'settings.body': 'unknown', 'settings.headers.0.value': 'unknown' },
    ],
    [
      'a placeholder that a webhook does not have',
      { ...webhook, settings: { ...webhook.settings, headers: header('X-A', '{{to}}') } },
      { 'settings.headers.0.value': 'unknown' },
    ],
    [
      'a placeholder with a slip in it',
      { ...sms, settings: { ...sms.settings, url: 'https://sms.example/?t={{text}', body: '{{te xt}}' } },
      { 'settings.url': 'unknown', 'settings.body': 'unknown' },
    ],
    [
      'credentials in a URL that can not be decoded',
      { ...sms, settings: { ...sms.settings, url: 'https://fleet:50%off@sms.example/' } },
      { 'settings.url': 'bad-format' },
    ],
    [
      'a contact that is no address',
      { kind: 'push', settings: { contact: 'https://[' } },
      { 'settings.contact': 'bad-format' },
    ],
    [
      'a host that is a placeholder',
      { ...sms, settings: { ...sms.settings, url: 'https://{{to}}/' } },
      { 'settings.url': 'bad-format' },
    ],
  ])('that has %s is named', async (_name, content, fields) => {
    const answer = await ask('POST', SENDERS, { ...senderFields(), secret: SECRET, ...content });
    expect(answer).toMatchObject({ status: 422, code: 'bad-fields', data: { fields } });
    expect((await ask<{ rows: [] }>('GET', SENDERS)).data.rows).toEqual([]);
  });

  it('of the kind stays as it is', async () => {
    const { id } = await add();
    const body = { ...senderFields(), ...webhook, version: 1 };
    expect(await ask('PUT', `${SENDERS}/${id}`, body)).toMatchObject({ data: { fields: { kind: 'not-allowed' } } });
  });
});

describe('a stored secret', () => {
  const elsewhere = { ...MAIL_SETTINGS, host: 'evil.example' };

  it('has to be entered again before it goes to another server, also in a test', async () => {
    const { id } = await add();
    const fields = senderFields({ settings: elsewhere });
    const refused = { status: 422, data: { fields: { secret: 'required' } } };
    expect(await ask('PUT', `${SENDERS}/${id}`, { ...fields, version: 1 })).toMatchObject(refused);
    expect(await ask('POST', TEST, { id, sender: fields, to: 'ann@example.com' })).toMatchObject(refused);
    const plain = senderFields({ settings: { ...MAIL_SETTINGS, security: 'none' } });
    expect(await ask('PUT', `${SENDERS}/${id}`, { ...plain, version: 1 })).toMatchObject(refused);
    const entered = { ...fields, secret: 'other', version: 1 };
    expect(await ask('PUT', `${SENDERS}/${id}`, entered)).toMatchObject({ status: 200 });
  });

  it('of a webhook has to be entered again before a header sends it, wherever that is', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {{ secret }}' }];
    const at = (url: string, given: readonly object[]) =>
      senderFields({ kind: 'webhook', settings: { url, headers: given } });
    const { id } = await add(at('https://hooks.example/', []));
    const path = `${SENDERS}/${id}`;
    const refused = { status: 422, data: { fields: { secret: 'required' } } };
    expect(await ask('PUT', path, { ...at('https://hooks.example/', headers), version: 1 })).toMatchObject(refused);
    const entered = { ...at('https://hooks.example/', headers), secret: SECRET, version: 1 };
    expect(await ask('PUT', path, entered)).toMatchObject({ status: 200 });
    const moved = at('https://evil.example/', headers);
    expect(await ask('PUT', path, { ...moved, version: 2 })).toMatchObject(refused);
    expect(await ask('POST', TEST, { id, sender: moved, to: '' })).toMatchObject(refused);
    expect(await ask('PUT', path, { ...at('https://hooks.example/2', headers), version: 2 })).toMatchObject(refused);
    expect(await ask('POST', SENDERS, at('https://hooks.example/', headers))).toMatchObject(refused);
  });

  it('of a webhook that it only signs has to be entered again for another address', async () => {
    const settings = { url: 'https://hooks.example/', headers: [] };
    const { id } = await add({ kind: 'webhook', settings });
    const moved = {
      ...senderFields({ kind: 'webhook', settings: { ...settings, url: 'https://other.example/' } }),
      version: 1,
    };
    const refused = { status: 422, data: { fields: { secret: 'required' } } };
    expect(await ask('PUT', `${SENDERS}/${id}`, moved)).toMatchObject(refused);
    const entered = { ...moved, secret: SECRET };
    expect(await ask('PUT', `${SENDERS}/${id}`, entered)).toMatchObject({ status: 200, data: { hasSecret: true } });
  });

  it('of an SMS gateway has to be entered again before a text has it', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {{secret}}' }];
    const settings = { method: 'POST', url: 'https://sms.example/send', headers, body: 'to={{to}}&text={{text}}' };
    const { id } = await add({ kind: 'sms', settings });
    const told = senderFields({ kind: 'sms', settings: { ...settings, body: 'to={{to}}&text={{secret}}' } });
    const refused = { status: 422, data: { fields: { secret: 'required' } } };
    expect(await ask('PUT', `${SENDERS}/${id}`, { ...told, version: 1 })).toMatchObject(refused);
    expect(await ask('POST', TEST, { id, sender: told, to: '+886912345678' })).toMatchObject(refused);
    const longer = senderFields({ kind: 'sms', settings: { ...settings, body: 'to={{to}}&text=Depot: {{text}}' } });
    expect(await ask('PUT', `${SENDERS}/${id}`, { ...longer, version: 1 })).toMatchObject({ status: 200 });
  });
});

describe('a test', () => {
  const open: Pick<HttpSink, 'close'>[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((sink) => sink.close()));
  });

  it('sends a real mail with the stored secret, and shows what both sides said without it', async () => {
    const sink = await startSmtpSink({ password: SECRET });
    open.push(sink);
    const settings = { ...MAIL_SETTINGS, host: '127.0.0.1', port: sink.port, security: 'none' as const };
    const { id } = await add({ settings });
    const to = 'ann@example.com';
    const answer = await ask<SenderTestResult>('POST', TEST, { id, sender: senderFields({ settings }), to });
    expect(answer.data).toMatchObject({ isSent: true, answer: expect.stringMatching(/^250 /) });
    expect(sink.mails).toMatchObject([{ to: [to], user: 'fleet', text: expect.stringContaining('test message') }]);
    expect(answer.data.conversation).toContainEqual({ side: 'gateway', text: 'MAIL FROM:<fleet@example.com>' });
    expect(answer.data.conversation.some(({ side }) => side === 'server')).toBe(true);
    const [entry] = await auditOf();
    expect(entry).toMatchObject({ action: 'sender.test', target: 'Mail', detail: { kind: 'email', recipient: to } });
    const told = answer.text + JSON.stringify(entry) + test.logged();
    for (const form of [SECRET, Buffer.from(SECRET).toString('base64')]) expect(told).not.toContain(form);
    expect(test.changed).toEqual(['sender']);
  });

  it('of an SMS gateway shows the request with a mask for the secret, and what came back', async () => {
    const sink = await startHttpSink((response, { body }) => void response.end(`queued ${body}`));
    open.push(sink);
    const body = '{"key":"{{secret}}","to":"{{to}}","text":"{{text}}"}';
    const settings = { method: 'POST', url: `http://127.0.0.1:${sink.port}/sms`, headers: [], body };
    const sender = { ...senderFields({ kind: 'sms', settings }), secret: SECRET };
    const answer = await ask<SenderTestResult>('POST', TEST, { id: null, sender, to: '+886912345678' });
    expect(JSON.parse(sink.requests[0]?.body.toString() ?? '')).toMatchObject({ key: SECRET, to: '+886912345678' });
    const { conversation } = answer.data;
    expect(conversation[0]).toEqual({ side: 'gateway', text: `POST http://127.0.0.1:${sink.port}/sms` });
    expect(conversation).toContainEqual({ side: 'gateway', text: expect.stringContaining('"key":"•••"') });
    expect(conversation.at(-1)).toEqual({ side: 'server', text: expect.stringContaining('queued {"key":"•••"') });
    expect(answer.text + test.logged()).not.toContain(SECRET);
  });

  it('of a log server shows the message as it was written', async () => {
    const sink = await startSyslogSink();
    open.push(sink);
    const settings = { host: '127.0.0.1', port: sink.port, transport: 'tcp', facility: 16, appName: 'fleet' };
    const sender = senderFields({ kind: 'syslog', settings });
    const { data } = await ask<SenderTestResult>('POST', TEST, { id: null, sender, to: '' });
    expect(data).toMatchObject({ isSent: true, answer: 'written' });
    expect(data.conversation).toEqual([
      { side: 'note', text: `connected to 127.0.0.1:${sink.port}` },
      { side: 'gateway', text: expect.stringMatching(/^<134>1 .* fleet - .*This is a test message/) },
    ]);
    expect(sink.received()).toMatch(/^\d+ <134>1 /);
  });

  it('that fails says why', async () => {
    const sink = await startSmtpSink({ password: 'other' });
    open.push(sink);
    const settings = { ...MAIL_SETTINGS, host: '127.0.0.1', port: sink.port, security: 'none' as const };
    const sender = { ...senderFields({ settings }), secret: SECRET };
    const answer = await ask<SenderTestResult>('POST', TEST, { id: null, sender, to: 'ann@example.com' });
    expect(answer).toMatchObject({ status: 200, data: { isSent: false, answer: expect.stringContaining('535') } });
    expect(answer.text + test.logged()).not.toContain(SECRET);
  });

  it.each([
    ['email', '', 'required'],
    ['email', 'ann', 'bad-format'],
    ['email', 'ann@example.com,eve@example.com', 'bad-format'],
  ])('by %s to %j is refused', async (_kind, to, fault) => {
    const answer = await ask('POST', TEST, { id: null, sender: { ...senderFields(), secret: SECRET }, to });
    expect(answer).toMatchObject({ status: 422, data: { fields: { to: fault } } });
  });

  it('waits for no more than two others', async () => {
    const waiting: (() => void)[] = [];
    const sink = await startHttpSink((response) => void waiting.push(() => response.end()));
    open.push(sink);
    const settings = { url: `http://127.0.0.1:${sink.port}/`, headers: [] };
    const body = { id: null, sender: senderFields({ kind: 'webhook', settings }), to: '' };
    const running = [ask<SenderTestResult>('POST', TEST, body), ask<SenderTestResult>('POST', TEST, body)];
    await waitFor('two tests', () => waiting.length === 2);
    expect(await ask('POST', TEST, body)).toMatchObject({ status: 429, code: 'too-many-tests' });
    expect(test.limits).toContain('notify.tests.all');
    for (const end of waiting) end();
    for (const answer of await Promise.all(running)) expect(answer.data.isSent).toBe(true);
    const last = ask<SenderTestResult>('POST', TEST, body);
    await waitFor('a third', () => waiting.length === 3);
    waiting.at(-1)?.();
    expect((await last).data.isSent).toBe(true);
  });

  it('by push reaches the browsers of the caller alone', async () => {
    const settings = { contact: 'mailto:admin@example.com' };
    const body = { id: null, sender: senderFields({ kind: 'push', settings }), to: '' };
    const answer = await ask<SenderTestResult>('POST', TEST, body);
    expect(answer.data).toMatchObject({ isSent: false, answer: expect.stringContaining('no browser') });
  });
});
