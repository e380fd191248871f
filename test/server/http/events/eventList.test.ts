import readSheets from 'read-excel-file/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventDays, EventDetail } from '../../../../shared/protocol/api/events.ts';
import { anEventMedia } from '../../../support/anEventMedia.ts';
import { BEGIN_MS, createEventScene, type EventScene } from './eventScene.ts';

const MINUTE_MS = 60_000;

describe('the list of events', () => {
  let scene: EventScene;
  beforeEach(async () => {
    scene = await createEventScene();
  });
  afterEach(() => scene.test.close());

  it('has those of the devices that the caller sees, the newest first, and the gateway’s for administrators', async () => {
    const [old, young, south, system] = await scene.add(
      { beginAtMs: BEGIN_MS },
      { beginAtMs: BEGIN_MS + MINUTE_MS },
      { archiveNumber: scene.south },
      { archiveNumber: 0, type: 'disk-full', beginAtMs: BEGIN_MS - MINUTE_MS },
    );
    expect(await scene.ids('', 'ann')).toEqual([young, old]);
    expect(await scene.ids('', 'sue')).toEqual([south]);
    expect(await scene.ids('', 'root')).toEqual([young, old, system]);
    expect((await scene.page('')).rows[0]).toMatchObject({
      type: 'speeding',
      severity: 'major',
      status: 'new',
      deviceid: 'BUS1',
      deviceName: 'North line',
      groupName: 'North',
      beginAtMs: BEGIN_MS + MINUTE_MS,
      value: 92.5,
      limit: null,
    });
  });

  it.each([
    ['types=speeding', [0]],
    ['types=emergency,speeding', [0, 1]],
    ['severities=critical', [1]],
    ['statuses=new', [0, 1, 2]],
    ['statuses=closed', []],
    ['late=1', [2]],
    ['late=0', [0, 1]],
    ['lasting=1', [0, 1]],
    ['media=1', []],
    ['assignee=-', [0, 1, 2]],
    ['assignee=bob', []],
    ['devices=BUS1', [0, 1, 2]],
    ['devices=BUS2', []],
    ['deviceid=BUS%C3%A91', []],
    [`from=${BEGIN_MS + 1}`, [1, 2]],
    [`to=${BEGIN_MS + 1}`, [0]],
    ['search=north', [0, 1, 2]],
    ['search=陳', [0]],
  ])('finds by %s', async (query, expected) => {
    const ids = await scene.add(
      {},
      { type: 'emergency', severity: 'critical', beginAtMs: BEGIN_MS + 1, driver: '' },
      { type: 'idling', severity: 'info', beginAtMs: BEGIN_MS + 2, isLate: true, endAtMs: BEGIN_MS + 3, driver: '' },
    );
    const found = await scene.ids(`${query}&sort=time&descending=0`);
    expect(found).toEqual(expected.map((at) => ids[at]));
  });

  it('goes on from page to page, by severity too, up to 500 rows each', async () => {
    const severities = ['info', 'critical', 'minor', 'major', 'critical'] as const;
    const ids = await scene.add(...severities.map((severity, at) => ({ severity, beginAtMs: BEGIN_MS + at })));
    const seen: number[] = [];
    let after = '';
    do {
      const page = await scene.page(`sort=severity&descending=1&limit=2${after}`);
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next === null ? '' : `&after=${page.next}`;
    } while (after !== '');
    expect(seen).toEqual([4, 1, 3, 2, 0].map((at) => ids[at]));
    expect(await scene.ids('limit=500')).toHaveLength(5);
    expect((await scene.ask('GET', '/api/event/events?limit=501')).status).toBe(400);
  });

  it.each([
    'severities=worst',
    'statuses=',
    'types=../x',
    'groups=1;drop',
    'late=yes',
    'after=nonsense',
    'devices=%25E0%25A4%25A',
  ])('refuses %s', async (query) => {
    expect((await scene.ask('GET', `/api/event/events?${query}`)).status).toBe(400);
  });

  it('tells of one event what was done to it, to those who see it', async () => {
    const [id, , system] = await scene.add({}, { archiveNumber: scene.south }, { archiveNumber: 0 });
    const found = await scene.ask<EventDetail>('GET', `/api/event/events/${id}`);
    expect(found).toMatchObject({ status: 200, data: { event: { id }, steps: [], alarmMark: '00ff' } });
    for (const [hidden, as] of [
      [id, 'sue'],
      [system, 'ann'],
      [999_999, 'ann'],
    ] as const) {
      const refused = await scene.ask('GET', `/api/event/events/${hidden}`, undefined, as);
      expect(refused).toMatchObject({ status: 404, code: 'no-such-event' });
    }
    expect((await scene.ask('GET', `/api/event/events/${system}`, undefined, 'root')).status).toBe(200);
  });

  it('is hidden while its device is disabled, with all that is kept of it', async () => {
    const { stores } = scene.test;
    const [id = 0] = await scene.add({});
    const kept = anEventMedia({ eventId: id, eventBeginAtMs: BEGIN_MS, archiveNumber: scene.north });
    const [mediaId = 0] = await stores.eventMedia.add([kept], 2);
    const { serialno: memberGroup = 0 } = (await stores.memberGroups.list()).find(({ name }) => name === 'North') ?? {};
    const seen = async () => [
      ...(await Promise.all(
        ['', '/media', '/track'].map(async (part) => (await scene.ask('GET', `/api/event/events/${id}${part}`)).status),
      )),
      (await stores.eventEvidence.findMedia(mediaId, memberGroup)) !== undefined,
    ];
    expect(await seen()).toEqual([200, 200, 200, true]);
    await stores.devices.update('BUS1', { disabled: true });
    expect(await seen()).toEqual([404, 404, 404, false]);
  });

  it('is counted by the days of the user’s zone', async () => {
    const noonMs = Date.UTC(2026, 10, 22, 12);
    await scene.add(
      { beginAtMs: noonMs },
      // Half past midnight in Taipei, the evening before in UTC.
      { beginAtMs: noonMs + 4.5 * 60 * MINUTE_MS, severity: 'critical' },
      { beginAtMs: noonMs + 5 * 60 * MINUTE_MS, severity: 'critical' },
    );
    const days = (query: string) => scene.ask<EventDays>('GET', `/api/event/days?${query}`);
    const period = `from=${noonMs - 86_400_000}&to=${noonMs + 86_400_000}`;
    const none = { critical: 0, major: 0, minor: 0, info: 0 };
    expect((await days(`${period}&timeZone=Asia/Taipei`)).data).toEqual([
      { fromMs: Date.UTC(2026, 10, 21, 16), counts: { ...none, major: 1 } },
      { fromMs: Date.UTC(2026, 10, 22, 16), counts: { ...none, critical: 2 } },
    ]);
    expect((await days(period)).data).toEqual([
      { fromMs: Date.UTC(2026, 10, 22), counts: { ...none, critical: 2, major: 1 } },
    ]);
    expect(await days(`from=${noonMs}`)).toMatchObject({ status: 422, data: { fields: { to: 'required' } } });
    expect(await days(`from=${noonMs}&to=${noonMs}`)).toMatchObject({ data: { fields: { to: 'out-of-range' } } });
    expect(await days(`from=0&to=${noonMs}`)).toMatchObject({ data: { fields: { to: 'out-of-range' } } });
    expect(await days(`${period}&timeZone=Mars/Base`)).toMatchObject({ data: { fields: { timeZone: 'unknown' } } });
  });

  it('is counted as far as nobody has closed it', async () => {
    await scene.add({ severity: 'critical' }, {}, { archiveNumber: scene.south }, { archiveNumber: 0 });
    const counts = (as: 'ann' | 'root') => scene.ask('GET', '/api/event/counts', undefined, as);
    expect((await counts('ann')).data).toMatchObject({
      open: { critical: 1, major: 1 },
      unacknowledged: { critical: 1 },
    });
    expect((await counts('root')).data).toMatchObject({ open: { major: 2 } });
  });
});

describe('files of events', () => {
  let scene: EventScene;
  beforeEach(async () => {
    scene = await createEventScene();
    const [place, value] = [{ latitude: -33.86, longitude: -70.5, speedKmh: 92.5, headingDeg: 270 }, -12.5];
    await scene.add({ driver: '=cmd()', place, value }, { archiveNumber: scene.south });
  });
  afterEach(() => scene.test.close());

  it('are CSV for programs (S-9.11), in which nothing is a formula', async () => {
    const file = await scene.download('/api/event/events/csv?types=speeding');
    const [head, first, ...others] = file.body.trim().split('\r\n');
    expect(head).toMatch(/^id,type,severity,status,/);
    expect(first).toContain("'=cmd()");
    expect(first).toContain(',-12.5,,-33.86,-70.5,92.5,270,');
    expect(first).toContain(',2026-11-18T');
    expect(others).toEqual([]);
  });

  it('are spreadsheets for people (S-9.11), in their language and on their clock', async () => {
    const file = await scene.download('/api/event/events/xlsx?types=speeding&lang=zh-TW&timeZone=Asia/Taipei');
    const [sheet] = await readSheets(file.rawPayload);
    const [titles = [], row = []] = sheet?.data ?? [];
    const cell = (title: string) => row[titles.indexOf(title)];
    expect(sheet?.sheet).toBe('事件');
    expect(sheet?.data).toHaveLength(2);
    expect(cell('類型')).toBe('超速');
    expect(cell('車牌號碼')).toBe('North-1');
    expect(cell('開始')).toEqual(new Date(BEGIN_MS + 8 * 60 * MINUTE_MS));
    expect(cell('駕駛')).toBe('=cmd()');
    expect([cell('數值'), cell('單位')]).toEqual([-12.5, 'km/h']);
  });

  it('are refused to nobody’s language and zone', async () => {
    const ask = (query: string) => scene.ask('POST', `/api/event/events/xlsx?${query}`);
    expect((await ask('lang=de&timeZone=UTC')).status).toBe(400);
    expect(await ask('lang=jp&timeZone=Mars/Base')).toMatchObject({ status: 422, code: 'bad-fields' });
  });
});
