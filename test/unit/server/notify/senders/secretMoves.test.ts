import { describe, expect, it } from 'vitest';
import { movesSecret } from '../../../../../server/notify/senders/secretMoves.ts';
import type { SenderKind } from '../../../../../shared/protocol/notify/notifyWords.ts';

type Fields = Readonly<Record<string, unknown>>;

const EMAIL = {
  ...{ host: 'mail.example', port: 465, security: 'tls', username: 'depot' },
  ...{ fromAddress: 'depot@mail.example', fromName: 'Depot' },
};
const SMS = {
  method: 'POST',
  url: 'https://sms.example/accounts/7/send?from=DEPOT',
  headers: [{ name: 'Authorization', value: 'Bearer {{secret}}' }],
  body: '{"to":"{{to}}","text":"{{text}}"}',
};
const WEBHOOK = { url: 'https://hooks.example/services/T1/B1', headers: [{ name: 'X-Team', value: 'north' }] };
const BY_QUERY = { ...SMS, url: 'https://sms.example/send?key={{secret}}&to={{to}}', headers: [] };
const IN_BODY = { ...SMS, headers: [], body: 'key={{ secret }}&to={{to}}&text={{text}}' };
const TOKEN = { ...WEBHOOK, headers: [{ name: 'Authorization', value: 'Bearer {{secret}}' }] };

const moves = (kind: SenderKind, before: Fields, change: Fields): boolean =>
  movesSecret({ kind, settings: { ...before } }, { kind, settings: { ...before, ...change } });

describe('a stored secret has to be entered again', () => {
  it.each<[string, SenderKind, Fields, Fields]>([
    ['for another mail server', 'email', EMAIL, { host: 'mail.elsewhere.example' }],
    ['for less encryption of mail', 'email', EMAIL, { security: 'none' }],
    ['for another account at the mail server', 'email', EMAIL, { username: 'other' }],
    [
      'for a mail server that is told it for the first time',
      'email',
      { ...EMAIL, username: '' },
      { username: 'depot' },
    ],
    ['for another path on the same site', 'sms', SMS, { url: 'https://sms.example/accounts/8/send?from=DEPOT' }],
    ['for another query', 'sms', SMS, { url: 'https://sms.example/accounts/7/send?from=DEPOT&copy=8' }],
    [
      'for another order of the address that holds it',
      'sms',
      BY_QUERY,
      { url: 'https://sms.example/send?to={{secret}}' },
    ],
    ['in the text of a message', 'sms', SMS, { body: '{"to":"{{to}}","text":"{{text}} {{secret}}"}' }],
    ['in the text instead of its place', 'sms', IN_BODY, { body: 'key=1&to={{to}}&text={{ secret }}' }],
    ['with another text around it', 'sms', IN_BODY, { body: 'key={{ secret }}&to=+886912345678&text={{text}}' }],
    ['in another header', 'sms', SMS, { headers: [...SMS.headers, { name: 'X-Trace', value: '{{secret}}' }] }],
    ['in a header that is named otherwise', 'sms', SMS, { headers: [{ name: 'X-Reply', value: 'Bearer {{secret}}' }] }],
    ['with a body that was not sent before', 'sms', { ...IN_BODY, method: 'GET' }, { method: 'POST' }],
    ['with another method', 'sms', SMS, { method: 'PUT' }],
    [
      'for another path of a webhook that has it in a header',
      'webhook',
      TOKEN,
      { url: 'https://hooks.example/services/T2/B1' },
    ],
    [
      'for another path of a webhook that it signs',
      'webhook',
      WEBHOOK,
      { url: 'https://hooks.example/services/T2/B1' },
    ],
    ['in a header of a webhook that it only signed', 'webhook', WEBHOOK, { headers: TOKEN.headers }],
  ])('%s', (_, kind, before, change) => {
    expect(moves(kind, before, change)).toBe(true);
  });

  it('for another kind', () => {
    expect(movesSecret({ kind: 'webhook', settings: WEBHOOK }, { kind: 'sms', settings: SMS })).toBe(true);
  });
});

describe('a stored secret stays', () => {
  it.each<[string, SenderKind, Fields, Fields]>([
    ['when nothing changes', 'sms', SMS, {}],
    ['with another name of who sends the mail', 'email', EMAIL, { fromName: 'Yard', fromAddress: 'yard@mail.example' }],
    ['for a mail server that is told none', 'email', { ...EMAIL, username: '' }, { host: 'mail.elsewhere.example' }],
    ['when it is taken out of a part', 'sms', SMS, { headers: [] }],
    ['with another text without it', 'sms', SMS, { body: '{"to":"{{to}}","text":"Depot: {{text}}"}' }],
    ['with another header without it', 'webhook', TOKEN, { headers: [...TOKEN.headers, ...WEBHOOK.headers] }],
    [
      'in a header whose name is written otherwise',
      'sms',
      SMS,
      { headers: [{ name: 'AUTHORIZATION', value: 'Bearer {{secret}}' }] },
    ],
    ['of a log server', 'syslog', { host: 'log.example' }, { host: 'log.elsewhere.example' }],
  ])('%s', (_, kind, before, change) => {
    expect(moves(kind, before, change)).toBe(false);
  });
});
