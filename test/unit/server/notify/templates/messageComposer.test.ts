import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Destination, OutgoingMessage } from '../../../../../server/notify/outgoing.ts';
import type { TextsOfTemplate } from '../../../../../server/notify/templates/chooseText.ts';
import { DIGEST_LINES_LIMIT } from '../../../../../server/notify/templates/digestLines.ts';
import { type Composed, MessageComposer } from '../../../../../server/notify/templates/messageComposer.ts';
import { Wordings } from '../../../../../server/notify/templates/wordings.ts';
import type { StoredEventMedia } from '../../../../../server/store/events/eventMediaRows.ts';
import type { EventRow } from '../../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';
import { EVENT_BEGIN_MS, eventRow } from '../../../../support/eventRow.ts';
import { storedMessage } from '../../../../support/notify/notifyMessages.ts';

const ANN: Destination = {
  to: 'member',
  userId: 7,
  name: 'Ann Lin',
  address: 'ann@example.com',
  language: 'en',
  timeZone: 'Asia/Taipei',
};
const SERVICE: Destination = { to: 'service' };

interface Scene {
  readonly events?: readonly EventRow[];
  readonly media?: readonly StoredEventMedia[];
  readonly template?: TextsOfTemplate;
  readonly digest?: readonly number[];
  readonly picture?: Buffer;
  readonly publicUrl?: string;
  readonly afterMs?: number;
}

/** A composer at the moment when the pictures of its event have been requested. */
function composerOf(scene: Scene = {}) {
  const { events = [eventRow({ id: 9 })], media = [], digest = [], publicUrl = 'https://fleet.example' } = scene;
  const limits: string[] = [];
  const now = () => EVENT_BEGIN_MS + (scene.afterMs ?? 1_500);
  const composer = new MessageComposer({
    stores: {
      eventList: { seenOf: async (ids) => events.filter(({ id }) => ids.includes(id)) },
      eventMedia: { ofEvent: async () => [...media] },
      notifyTemplates: { find: async (id) => (id === 5 ? scene.template : undefined) },
      digestEvents: { idsOf: async () => [...digest] },
    },
    wordings: new Wordings({
      eventTypes: { all: async () => [{ code: 'custom-1', nameEn: 'Door open', nameZh: '車門開啟', nameJp: '' }] },
      localesRoot: join(import.meta.dirname, '../../../../../public/locales'),
      now,
    }),
    readPicture: async (fileId, maxBytes) =>
      (scene.picture?.length ?? 0) <= maxBytes && fileId !== '' ? scene.picture : undefined,
    siteTitle: async () => 'Harbor buses',
    ruleZone: (rule, archiveNumber) => (rule === storedMessage().rule && archiveNumber > 0 ? 'America/New_York' : ''),
    publicUrl,
    now,
    onLimit: ({ name }) => void limits.push(name),
  });
  return { composer, limits };
}

async function compose(scene: Scene, message = storedMessage(), destination = ANN): Promise<Composed> {
  return composerOf(scene).composer.compose(message, destination);
}

async function sent(...given: Parameters<typeof compose>): Promise<OutgoingMessage> {
  const composed = await compose(...given);
  if ('wait' in composed || 'cancel' in composed) throw new Error(JSON.stringify(composed));
  return composed;
}

function template(changes: Partial<TextsOfTemplate> = {}): TextsOfTemplate {
  return {
    kind: 'email',
    fallback: 'en',
    texts: { en: { subject: 'S {{event.id}}', body: 'B {{event.type}}' } },
    ...changes,
  };
}

describe('a mail about an event', () => {
  it('says the facts in the language and on the clock of its recipient', async () => {
    const english = await sent({});
    expect(english.subject).toBe('[Major] Speeding: Lake line 1');
    expect(english.body).toContain('Speeding on Lake line 1 at 2026-11-23 16:30:00.');
    expect(english.body).toContain('Value: 86 km/h\nLimit: 80 km/h\nSpeed: 86 km/h\nPosition: 25.030000, 121.560000');
    expect(english.body).not.toContain('Driver:');
    expect(english.body).toContain('rule Night shift of Harbor buses');
    const japanese = await sent({}, storedMessage(), { ...ANN, language: 'jp', timeZone: 'Asia/Tokyo' });
    expect(japanese.subject).toBe('[重大] 速度超過：Lake line 1');
    expect(japanese.body).toContain('2026-11-23 17:30:00');
  });

  it('is on the clock of the rule where its reader has none', async () => {
    for (const destination of [SERVICE, { to: 'address', address: 'desk@example.com' } as const]) {
      const mail = await sent({}, storedMessage(), destination);
      expect(mail.body).toContain('Speeding on Lake line 1 at 2026-11-23 03:30:00.');
    }
  });

  it('leads to the event, without a token, where the address of the pages is known', async () => {
    const link = 'https://fleet.example/historyevent?event=9';
    const mail = await sent({});
    expect(mail).toMatchObject({ link, key: storedMessage().key, destination: ANN, severity: 'major' });
    expect(mail.body).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    const bare = await sent({ publicUrl: '' });
    expect(bare.link).toBe('');
    expect(bare.body).not.toContain('http');
    expect(bare.html).not.toContain('<a ');
  });

  it('brings the snapshot', async () => {
    const mail = await sent({ media: [{ ...anEventMedia(), id: 1 }], picture: Buffer.from('jpeg') });
    expect(mail.picture).toEqual({ fileName: 'snapshot.jpg', contentType: 'image/jpeg', data: Buffer.from('jpeg') });
    expect(mail.html).toContain('cid:snapshot.jpg');
    const gone = await sent({ media: [{ ...anEventMedia(), id: 1 }] });
    expect(gone.picture).toBeUndefined();
    expect(gone.html).not.toContain('cid:');
  });

  it('waits for a snapshot that is on its way; other kinds do not', async () => {
    const media = [{ ...anEventMedia({ state: 'requested', file: undefined }), id: 1 }];
    expect(await compose({ media })).toEqual({ wait: EVENT_BEGIN_MS + 3_500 });
    expect(await sent({ media, afterMs: 15_000 })).toMatchObject({ picture: undefined });
    expect(await sent({ media }, storedMessage({ kind: 'sms' }))).not.toHaveProperty('picture');
  });

  it('does not wait where the gateway itself is the source', async () => {
    const events = [eventRow({ id: 9, deviceid: '', deviceName: '', type: 'disk-full', lat: null, lng: null })];
    const mail = await sent({ events, afterMs: 0 }, storedMessage({ archiveNumber: 0 }));
    expect(mail.subject).toContain('Server');
    expect(mail.body).not.toContain('Position');
  });

  it('is canceled when the event is not there any more', async () => {
    expect(await compose({ events: [] })).toEqual({ cancel: 'event-gone' });
  });

  it('says in each attempt what the first one said', async () => {
    const stored = storedMessage({ subject: 'First', body: 'What was said\n\n<b>', attempts: 1 });
    const mail = await sent({}, stored);
    expect(mail).toMatchObject({ subject: 'First', body: 'What was said\n\n<b>' });
    expect(mail.html).toContain('What was said</p>');
    expect(mail.html).toContain('&lt;b&gt;');
  });
});

describe('a template', () => {
  const inTwo = template({
    texts: {
      en: { subject: 'S {{event.id}}', body: 'B {{event.type}}' },
      'zh-TW': { subject: '主旨', body: '{{event.type}} {{recipient.name}}' },
    },
  });

  it('words the message in the language, else in its fallback language', async () => {
    const message = storedMessage({ template: 5 });
    expect(await sent({ template: inTwo }, message, { ...ANN, language: 'zh-TW' })).toMatchObject({
      subject: '主旨',
      body: '超速 Ann Lin',
    });
    // Values are in the member's language too: nobody reads a text in two languages.
    expect(await sent({ template: inTwo }, message, { ...ANN, language: 'jp' })).toMatchObject({
      subject: 'S 9',
      body: 'B Speeding',
    });
  });

  it('follows the language of the rule for a service and a plain address', async () => {
    const message = storedMessage({ kind: 'webhook', language: 'jp', recipient: '' });
    const { body } = await sent({}, message, SERVICE);
    expect(JSON.parse(body)).toMatchObject({
      key: message.key,
      event: { id: '9', typeName: '速度超過', type: 'speeding' },
    });
  });

  it('that is gone or of another kind leaves it to the standard text', async () => {
    const message = storedMessage({ template: 5 });
    expect((await sent({}, message)).subject).toContain('Speeding');
    expect((await sent({ template: template({ kind: 'push' }) }, message)).subject).toContain('Speeding');
  });

  it('names types as administrators have named them', async () => {
    const events = [eventRow({ id: 9, type: 'custom-1' })];
    expect((await sent({ events }, storedMessage(), { ...ANN, language: 'zh-TW' })).subject).toContain('車門開啟');
    expect((await sent({ events }, storedMessage(), { ...ANN, language: 'jp' })).subject).toContain('Door open');
  });

  it('that would become too large for a webhook cancels the message', async () => {
    const body = `"${'{{device.name}}'.repeat(500)}"`;
    const huge = template({ kind: 'webhook', texts: { en: { subject: '', body } } });
    const events = [eventRow({ id: 9, deviceName: 'x'.repeat(250) })];
    const message = storedMessage({ kind: 'webhook', template: 5 });
    expect(await compose({ template: huge, events }, message, SERVICE)).toEqual({
      cancel: expect.stringContaining('too large'),
    });
  });
});

describe('a digest', () => {
  const events = [
    eventRow({ id: 9 }),
    eventRow({ id: 10, type: 'emergency', deviceName: 'Bus 2', beginAtMs: wallMs(EVENT_BEGIN_MS + 60_000) }),
    eventRow({ id: 11, status: 'acknowledged', deviceName: 'Bus 3' }),
  ];
  const message = storedMessage({ digestKey: 'd', events: 3 });
  const digest = [9, 10, 11];

  it('has a line for each event that nobody has answered', async () => {
    const mail = await sent({ events, digest }, message);
    expect(mail.subject).toBe('Events: 2 (Night shift)');
    expect(mail.body).toContain('2026-11-23 16:30:00 Speeding, Lake line 1\n2026-11-23 16:31:00 Emergency');
    expect(mail.body).not.toContain('Bus 3');
    expect(mail.picture).toBeUndefined();
  });

  it('is canceled when all were answered, unless it was worded before', async () => {
    const answered = events.map((event) => ({ ...event, status: 'closed' as const }));
    expect(await compose({ events: answered, digest }, message)).toEqual({ cancel: 'answered' });
    const again = { ...message, subject: 'Events: 3', body: 'as it was' };
    expect(await sent({ events: answered, digest }, again)).toMatchObject({ body: 'as it was' });
  });

  it('names fifty events, and how many more there are', async () => {
    const many = Array.from({ length: 53 }, (_, index) => eventRow({ id: index + 1 }));
    const { composer, limits } = composerOf({ events: many, digest: many.map(({ id }) => id) });
    const mail = await composer.compose(message, ANN);
    expect(mail).toMatchObject({
      subject: 'Events: 53 (Night shift)',
      body: expect.stringContaining('\nand 3 more\n'),
    });
    expect(limits).toEqual([DIGEST_LINES_LIMIT.name]);
  });

  it('is worded by a template that names it, and by no other', async () => {
    const own = (body: string) => template({ texts: { en: { subject: 'Own', body } } });
    const withTemplate = { ...message, template: 5 };
    expect(await sent({ events, digest, template: own('{{digest.count}} new') }, withTemplate)).toMatchObject({
      body: '2 new',
    });
    expect((await sent({ events, digest, template: own('{{event.id}}') }, withTemplate)).subject).toBe(
      'Events: 2 (Night shift)',
    );
  });
});
