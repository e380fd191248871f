// What the facts of an event read like, in English.
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EventRow } from '../../../../../shared/protocol/api/events.ts';
import type { EventTypeName } from '../../../../../shared/protocol/api/eventTypes.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { eventFacts } from '../../../../../shared/ui/events/detail/eventFacts.ts';
import { stepText, stepUser } from '../../../../../shared/ui/events/detail/stepText.ts';
import {
  deviceText,
  durationText,
  lengthText,
  limitText,
  placeText,
  unitText,
  valueText,
} from '../../../../../shared/ui/events/eventText.ts';
import { clipStartMs, eventChannels, type VideoMode } from '../../../../../shared/ui/events/video/eventChannels.ts';
import { EVENT_BEGIN_MS, eventRow } from '../../../../support/eventRow.ts';

beforeAll(async () => {
  // Keys are their English.
  await i18next.init({ lng: 'en', keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } });
});

const SECOND = 1_000;
const later = (ms: number) => wallMs(EVENT_BEGIN_MS + ms);
const reasonName = (code: string) => (code === '' ? '' : `Reason ${code}`);

describe('how long it was', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min 0 s'],
    [3_599_000, '59 min 59 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000 * 3 + 4 * 3_600_000, '3 d 4 h'],
    [-5_000, '0 s'],
  ])('%i ms are %s', (ms, expected) => {
    expect(durationText(ms)).toBe(expected);
  });

  it('is nothing for what was over at once, and open while it lasts', () => {
    expect(lengthText(eventRow({ id: 1, endAtMs: later(0) }))).toBe('');
    expect(lengthText(eventRow({ id: 1, endAtMs: later(47 * SECOND) }))).toBe('47 s');
    expect(lengthText(eventRow({ id: 1 }))).toBe('Lasting');
  });
});

describe('what was measured', () => {
  const measured = (type: string, value: number | null) => valueText({ type, value });

  it.each([
    ['speeding', 86.4, '86.4 km/h'],
    ['harsh-braking', 12.345, '12.35 km/h/s'],
    ['following-too-close', 0.8, '0.8 s'],
    ['continuous-driving', 245, '245 min'],
    ['fatigue', 70, '70%'],
    ['tire-pressure', 620, '620 kPa'],
    ['passenger-overload', 52, 'Passengers: 52'],
    ['area-crossed', 0, 'Entered'],
    ['area-crossed', 1, 'Exited'],
    // A type that an administrator made: nobody knows its unit.
    ['custom-1', 3, '3'],
    ['constructor', 3, '3'],
    ['speeding', null, ''],
  ])('%s %s reads %s', (type, value, expected) => {
    expect(measured(type, value)).toBe(expected);
  });

  it('has a limit in the same unit', () => {
    expect([limitText({ type: 'speeding', limit: 80 }), limitText({ type: 'speeding', limit: null })]).toEqual([
      '80 km/h',
      '',
    ]);
  });
});

it('names channels, storages and tires, and nothing for the device as a whole', () => {
  expect([unitText(2, 'channel'), unitText(2, 'storage'), unitText(2, 'tire'), unitText(2, undefined)]).toEqual([
    'ch 2',
    'Storage 2',
    'Tire 2',
    'ch 2',
  ]);
  expect(unitText(0, 'channel')).toBe('');
});

it('names the device, or the server for events of its own', () => {
  expect(deviceText({ deviceid: 'BUS1', deviceName: 'Lake line 1' })).toBe('Lake line 1');
  expect(deviceText({ deviceid: 'BUS1', deviceName: '' })).toBe('BUS1');
  expect(deviceText({ deviceid: '', deviceName: '' })).toBe('Server');
  expect([placeText({ lat: 25.03, lng: 121.5 }), placeText({ lat: null, lng: null })]).toEqual([
    '25.03000, 121.50000',
    '',
  ]);
});

describe('the facts of the detail panel', () => {
  const type = { unit: 'channel' } as EventTypeName;
  const factsOf = (fields: Partial<EventRow>) => {
    const options = { type, zone: 'Asia/Taipei', nowMs: EVENT_BEGIN_MS + 90 * SECOND, detail: undefined };
    const facts = eventFacts({ ...options, event: eventRow({ id: 7, ...fields }) });
    return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
  };

  it('are times in the zone of the user, with how long it has lasted', () => {
    expect(factsOf({})).toMatchObject({
      Start: '2026-11-23 16:30:00',
      'Lasting for': '1 min 30 s',
      Value: '86 km/h',
      Limit: '80 km/h',
      Position: '25.03000, 121.56000',
      Speed: '86 km/h · 90°',
      'Event ID': '7',
    });
    expect(factsOf({ endAtMs: later(47 * SECOND) })).toMatchObject({ End: '2026-11-23 16:30:47', Duration: '47 s' });
  });

  it("show the device's clock only where it differs", () => {
    expect(factsOf({ deviceTimeMs: later(2 * SECOND) })).not.toHaveProperty('Device time');
    expect(factsOf({ deviceTimeMs: later(-2_001) })).toMatchObject({ 'Device time': '2026-11-23 16:29:57' });
    expect(factsOf({ deviceTimeMs: wallMs(0) })).not.toHaveProperty('Device time');
  });

  it('leave out what is not known', () => {
    const facts = factsOf({ value: null, limit: null, lat: null, lng: null, plate: '', unit: 0, driver: '' });
    for (const name of ['Value', 'Limit', 'Position', 'Speed', 'Plate number', 'Channel', 'Driver'])
      expect(facts).not.toHaveProperty(name);
    expect(factsOf({ unit: 3, count: 4 })).toMatchObject({ Channel: 'ch 3', Occurrences: '4' });
  });
});

describe('steps', () => {
  const step = {
    id: 1,
    atMs: later(0),
    user: 'mei',
    from: 'new',
    to: 'closed',
    assignee: '',
    reason: '',
    note: '',
  } as const;

  it('say what was done, and by whom', () => {
    expect(stepText({ ...step, act: 'close', reason: 'real' }, reasonName)).toBe('Closed · Reason real');
    expect(stepText({ ...step, act: 'close', to: 'false-alarm' }, reasonName)).toBe('False alarm');
    expect(stepText({ ...step, act: 'assign', assignee: 'kai' }, reasonName)).toBe('Assigned to kai');
    expect(stepText({ ...step, act: 'assign' }, reasonName)).toBe('Assignee removed');
    expect(
      ['acknowledge', 'note', 'reopen'].map((act) => stepText({ ...step, act: act as 'note' }, reasonName)),
    ).toEqual(['Acknowledged', 'Note', 'Reopened']);
    expect([stepUser({ user: 'mei' }), stepUser({ user: '' })]).toEqual(['mei', 'Server']);
  });
});

describe('the channels beside an event', () => {
  const device = { chn: 6, installchs: '111111', livechs: '111110', talkchs: '000011' };
  const shown = (unit: number, mode: VideoMode, unitKind: 'channel' | 'tire' = 'channel') =>
    eventChannels(device, { event: { unit }, unitKind, mode });

  it("are four at most, the event's own first", () => {
    expect(shown(5, 'recording')).toEqual([5, 1, 2, 3]);
    expect(shown(2, 'recording', 'tire')).toEqual([1, 2, 3, 4]);
    expect(shown(9, 'recording')).toEqual([1, 2, 3, 4]);
  });

  it('are those with a picture now for live view, and begin with those to talk to', () => {
    expect(shown(6, 'live')).toEqual([1, 2, 3, 4]);
    expect(shown(1, 'talk')).toEqual([5, 1, 2, 3]);
  });

  it('have the own one among them, however many there are', () => {
    const large = { chn: 12, installchs: '', livechs: '' };
    expect(eventChannels(large, { event: { unit: 12 }, unitKind: 'channel', mode: 'recording' })).toEqual([
      12, 1, 2, 3,
    ]);
  });

  it('begin to play before the event', () => {
    expect(clipStartMs({ beginAtMs: EVENT_BEGIN_MS }, 10)).toBe(EVENT_BEGIN_MS - 10 * SECOND);
  });
});
