import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../../../server/notify/templates/eventValues.ts';
import { Wordings } from '../../../../../server/notify/templates/wordings.ts';
import type { EventRow } from '../../../../../shared/protocol/api/events.ts';
import type { Locale } from '../../../../../shared/protocol/locale.ts';
import { TEMPLATE_VARIABLES } from '../../../../../shared/protocol/notify/templateVariables.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { EVENT_BEGIN_MS, eventRow } from '../../../../support/eventRow.ts';

const LOCALES_ROOT = join(import.meta.dirname, '../../../../../public/locales');
const FACTS = {
  ruleName: 'Night shift',
  step: 2,
  recipientName: 'Ann Lin',
  key: 'k',
  sentAtMs: EVENT_BEGIN_MS + 1_000,
  siteTitle: 'Harbor buses',
  link: 'https://fleet.example/historyevent?event=9',
  timeZone: 'America/New_York',
};

async function valuesIn(language: Locale, fields: Partial<EventRow> = {}) {
  const wordings = new Wordings({ eventTypes: { all: async () => [] }, localesRoot: LOCALES_ROOT, now: () => 0 });
  const event = eventRow({ id: 9, ...fields });
  return valuesOf(event, [event], FACTS, await wordings.of(language));
}

describe('the values of an event', () => {
  it('are there for every variable', async () => {
    const values = await valuesIn('en');
    expect(Object.keys(values).sort()).toEqual(TEMPLATE_VARIABLES.map(({ name }) => name).sort());
  });

  it('are on the clock of the zone, in winter and in summer', async () => {
    expect((await valuesIn('en'))['event.begin']).toBe('2026-11-23 03:30:00');
    const summer = wallMs(Date.UTC(2026, 6, 1, 3, 59, 59, 999));
    expect((await valuesIn('en', { beginAtMs: summer }))['event.begin']).toBe('2026-06-30 23:59:59');
    expect((await valuesIn('en'))['event.beginIso']).toBe('2026-11-23T08:30:00.000Z');
  });

  it('have no end while it lasts', async () => {
    expect((await valuesIn('en'))['event.end']).toBe('');
    const endAtMs = wallMs(EVENT_BEGIN_MS + 90_000);
    expect((await valuesIn('en', { endAtMs }))['event.end']).toBe('2026-11-23 03:31:30');
  });

  it.each([
    ['en', { type: 'speeding', value: 86.456 }, '86.46 km/h'],
    ['zh-TW', { type: 'idling', value: 300 }, '300 秒'],
    ['jp', { type: 'area-crossed', value: 1 }, '退出'],
    ['en', { type: 'area-crossed', value: 0 }, 'Entered'],
    ['en', { type: 'fatigue', value: 7 }, '7%'],
    ['zh-TW', { type: 'passenger-overload', value: 52 }, '乘客：52'],
    ['en', { type: 'emergency', value: null }, ''],
    ['en', { type: 'emergency', value: 3 }, '3'],
  ] as const)('have a number with its unit: %s %j', async (language, fields, text) => {
    expect((await valuesIn(language, fields))['event.value']).toBe(text);
  });

  it.each([
    ['en', { type: 'video-loss', unit: 3 }, 'ch 3'],
    ['zh-TW', { type: 'tire-pressure', unit: 2 }, '輪胎 2'],
    ['en', { type: 'speeding', unit: 0 }, ''],
  ] as const)('say which part it is about: %s %j', async (language, fields, text) => {
    expect((await valuesIn(language, fields))['event.unit']).toBe(text);
  });

  it('name severity and status in the language, and for programs', async () => {
    expect(await valuesIn('zh-TW', { severity: 'critical', status: 'in-progress' })).toMatchObject({
      'event.severity': '危急',
      'event.severityCode': 'critical',
      'event.status': '處理中',
    });
  });

  it('have no place where none is known', async () => {
    expect((await valuesIn('en', { lat: null, lng: null }))['event.place']).toBe('');
    expect((await valuesIn('en', { lat: -24.1234564, lng: 0.5 }))['event.place']).toBe('-24.123456, 0.500000');
  });
});

describe('the words of a language', () => {
  it('are read again after a failure, and names of types after some seconds', async () => {
    let nowMs = 0;
    let reads = 0;
    const all = async () => {
      if (++reads === 1) throw new Error('the database does not answer');
      return [{ code: 'custom-1', nameEn: `Read ${reads}`, nameZh: '', nameJp: '' }];
    };
    const wordings = new Wordings({ eventTypes: { all }, localesRoot: LOCALES_ROOT, now: () => nowMs });
    const name = async () => (await wordings.of('en')).typeName('custom-1');
    await expect(name()).rejects.toThrow('the database does not answer');
    expect(await name()).toBe('Read 2');
    nowMs = 4_999;
    expect(await name()).toBe('Read 2');
    nowMs = 5_000;
    expect(await name()).toBe('Read 3');
  });
});
