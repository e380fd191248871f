import { describe, expect, it, test } from 'vitest';
import { checkSender, type SenderTexts } from '../../../../pages/innerpage/sender/form/senderCheck.ts';
import {
  contentOf,
  draftOf,
  NEW_SENDER,
  type SenderDraft,
  warningOf,
  withPort,
} from '../../../../pages/innerpage/sender/form/senderForm.ts';
import { flatRefusal } from '../../../../pages/innerpage/sender/form/settingRefusal.ts';
import { senderStateOf } from '../../../../pages/innerpage/sender/table/senderState.ts';
import { addressOf, isTestAddress } from '../../../../pages/innerpage/sender/test/testAddress.ts';
import { SENDER_KINDS } from '../../../../shared/protocol/notify/notifyWords.ts';
import { aSender, SETTINGS } from '../../../support/aSender.ts';

const TEXTS: SenderTexts = {
  name: 'name',
  perMinute: 'rate',
  host: 'host',
  port: 'port',
  fromAddress: 'from',
  url: 'url',
  headers: 'headers',
  body: 'body',
  appName: 'app',
  contact: 'contact',
};

const problemsOf = (part: Partial<SenderDraft>, kind: SenderDraft['kind'] = 'email') => {
  const draft = { ...draftOf(aSender({ kind, settings: SETTINGS[kind] })), ...part };
  return Object.values(checkSender(draft, TEXTS)).filter((text) => text !== undefined);
};

describe('the form of a sender', () => {
  it.each(SENDER_KINDS)('sends back what it was given: %s', (kind) => {
    const sender = aSender({ kind, settings: SETTINGS[kind], perMinute: 30 });
    const { name, enabled, perMinute, settings } = sender;
    expect(contentOf(draftOf(sender))).toEqual({ name, kind, enabled, perMinute, settings });
    expect(problemsOf({}, kind)).toEqual([]);
  });

  it('sends no secret unless one was typed, and an empty one to delete it', () => {
    const draft = draftOf(aSender());
    expect(contentOf(draft)).not.toHaveProperty('secret');
    expect(contentOf({ ...draft, secret: ' a b ' })).toMatchObject({ secret: ' a b ' });
    expect(contentOf({ ...draft, secret: 'x', removesSecret: true })).toMatchObject({ secret: '' });
    const push = draftOf(aSender({ kind: 'push', settings: SETTINGS.push }));
    expect(contentOf({ ...push, secret: 'left behind' })).not.toHaveProperty('secret');
  });

  it('says what is wrong, of the kind that is chosen alone', () => {
    expect(problemsOf({ name: ' ', perMinute: 0.5, host: 'a b', port: 65_536, fromAddress: 'ann' })).toEqual([
      'name',
      'rate',
      'host',
      'port',
      'from',
    ]);
    expect(problemsOf({ host: '', port: null, url: '' })).toEqual(['host', 'port']);
    expect(problemsOf({ url: 'ftp://example.com', host: '' }, 'webhook')).toEqual(['url']);
    expect(problemsOf({ headers: [{ name: 'a b', value: '' }] }, 'webhook')).toEqual(['headers']);
    expect(problemsOf({ headers: Array(11).fill({ name: 'a', value: '' }) }, 'sms')).toEqual(['headers']);
    expect(problemsOf({ body: 'x'.repeat(4_001) }, 'sms')).toEqual(['body']);
    expect(problemsOf({ appName: 'a b' }, 'syslog')).toEqual(['app']);
    expect(problemsOf({ contact: 'admin@example.com' }, 'push')).toEqual(['contact']);
  });

  it('changes a usual port with the encryption and leaves another one alone', () => {
    const change = (draft: SenderDraft, part: Partial<SenderDraft>) => ({ ...draft, ...withPort(draft, part) }).port;
    expect(change(NEW_SENDER, { security: 'starttls' })).toBe(587);
    expect(change(NEW_SENDER, { kind: 'syslog' })).toBe(6_514);
    expect(change({ ...NEW_SENDER, kind: 'syslog', port: 6_514 }, { transport: 'tcp' })).toBe(601);
    expect(change({ ...NEW_SENDER, port: 2_525 }, { security: 'none' })).toBe(2_525);
  });

  it.each<[string | undefined, Partial<SenderDraft>]>([
    ['open-mail', { kind: 'email', security: 'none' }],
    [undefined, { kind: 'email', security: 'starttls', transport: 'tcp', url: 'http://example.com' }],
    ['open-syslog', { kind: 'syslog', transport: 'tcp', security: 'none' }],
    ['open-web', { kind: 'webhook', url: ' HTTP://example.com' }],
    ['open-web', { kind: 'sms', url: 'http://example.com' }],
    [undefined, { kind: 'sms', url: 'https://example.com' }],
  ])('warns of %s: %j', (warning, part) => {
    expect(warningOf({ ...NEW_SENDER, ...part })).toBe(warning);
  });
});

test('what the gateway refuses of the settings is told at the field', () => {
  const refused = (fields: object) =>
    ({ ok: false, kind: 'http', status: 422, message: '', data: { fields } }) as const;
  const paths = { name: 'taken', 'settings.host': 'bad-format', 'sender.settings.headers.0.name': 'bad-format' };
  expect(flatRefusal(refused(paths))).toEqual(refused({ name: 'taken', host: 'bad-format', headers: 'bad-format' }));
  const other = { ok: false, kind: 'network', message: 'down' } as const;
  expect(flatRefusal(other)).toBe(other);
});

test('the state of a sender is that of its last attempts', () => {
  const state = (part: object) => senderStateOf(aSender({ enabled: true, failures: 0, ...part }));
  expect(state({ enabled: false, failures: 3 })).toBe('off');
  expect(state({ failures: 1 })).toBe('failing');
  expect(state({ lastSentAtMs: 5 })).toBe('working');
  expect(state({})).toBe('unused');
});

test('a test is sent to an address of the kind', () => {
  expect(SENDER_KINDS.map((kind) => isTestAddress(kind, ''))).toEqual([false, true, false, true, true]);
  expect(isTestAddress('email', 'ann@example.com') && isTestAddress('sms', '+886 912 345 678')).toBe(true);
  expect(isTestAddress('email', '+886912345678') || isTestAddress('sms', 'ann@example.com')).toBe(false);
  expect([addressOf('sms', '+886 912-345'), addressOf('email', ' a@b '), addressOf('push', 'x')]).toEqual([
    '+886912345',
    'a@b',
    '',
  ]);
});
