import { describe, expect, it } from 'vitest';
import {
  filterOfSaved,
  queryOfFilter,
  savedQueryOf,
} from '../../../../pages/innerpage/historyevent/filter/filterQuery.ts';
import { filterOf } from '../../../../pages/innerpage/historyevent/filter/filterValues.ts';
import {
  FIRST_VIEW,
  type HistoryView,
  queryOfView,
  viewOfQuery,
} from '../../../../pages/innerpage/historyevent/filter/historyAddress.ts';
import {
  FIRST_FILTER,
  type HistoryFilter,
  narrowingOf,
  withoutNarrowing,
} from '../../../../pages/innerpage/historyevent/filter/historyFilter.ts';
import { dayBefore, spanOf } from '../../../../pages/innerpage/historyevent/filter/period.ts';
import {
  changedCodes,
  chosenOptions,
  keyOf,
  shortOptions,
  type TypeOption,
  typeOptions,
} from '../../../../shared/ui/events/typeOptions.ts';

const EVERYTHING: HistoryFilter = {
  period: 'range',
  fromDay: '2026-11-01',
  toDay: '2026-11-23',
  search: '陳 A-1',
  devices: ['BUS1', 'a, b', '公車%'],
  groups: [3, 12],
  types: ['speeding', 'custom-1'],
  severities: ['critical', 'info'],
  statuses: ['new', 'false-alarm'],
  assignee: '-',
  late: '0',
  media: '1',
  lasting: '1',
};

describe('the address of the page', () => {
  const views: readonly HistoryView[] = [
    FIRST_VIEW,
    { filter: EVERYTHING, view: 'map', sort: 'severity', isDescending: false, eventId: 12 },
    { ...FIRST_VIEW, filter: { ...FIRST_FILTER, period: 'range', toDay: '2026-11-23' } },
    { ...FIRST_VIEW, filter: { ...FIRST_FILTER, period: 'range' } },
    { ...FIRST_VIEW, filter: { ...FIRST_FILTER, period: 'yesterday', types: ['speeding'], media: 'video' } },
  ];

  it.each(views)('leads back to what it was made of: %#', (view) => {
    expect(viewOfQuery(queryOfView(view))).toEqual(view);
  });

  it('says nothing of what is as at first, and can be read', () => {
    expect(queryOfView(FIRST_VIEW)).toBe('');
    const filter = { ...FIRST_FILTER, period: '24h', severities: ['critical', 'major'] } as const;
    expect(queryOfView({ ...FIRST_VIEW, filter })).toBe('period=24h&severities=critical,major');
  });

  it('is understood as the dashboard writes it', () => {
    const { filter } = viewOfQuery('period=24h&types=speeding');
    expect(filter).toEqual({ ...FIRST_FILTER, period: '24h', types: ['speeding'] });
  });

  it.each([
    'period=tomorrow&severities=fatal&statuses=&groups=x,-1,1.5&types=A_B&late=2&view=grid&sort=id&order=up&event=0',
    'from=2026-02-30&to=0001-01-01&devices=%252Fetc,..,%25E0%25A4&event=1e3',
    'lasting=true&media=&unknown=1&&=',
  ])('ignores what it does not know: %s', (query) => {
    expect(viewOfQuery(query)).toEqual(FIRST_VIEW);
  });

  it('takes no more values than a call does, each once, and days rather than a period', () => {
    const types = Array.from({ length: 1_000 }, (_, at) => `type-${at % 700}`).join(',');
    const { filter } = viewOfQuery(`types=${types}&period=today&from=2026-11-01`);
    expect(filter.types.join(',').length).toBeLessThanOrEqual(4_000);
    expect(new Set(filter.types).size).toBe(filter.types.length);
    expect([filter.period, filter.fromDay, filter.toDay]).toEqual(['range', '2026-11-01', '']);
  });
});

describe('a filter', () => {
  it('is asked for by what is set, and by nothing else', () => {
    expect(queryOfFilter(FIRST_FILTER, { fromMs: undefined, toMs: undefined })).toEqual({});
    expect(queryOfFilter(EVERYTHING, { fromMs: 5, toMs: 9 })).toEqual({
      from: '5',
      to: '9',
      devices: 'BUS1,a%2C%20b,%E5%85%AC%E8%BB%8A%25',
      groups: '3,12',
      types: 'speeding,custom-1',
      severities: 'critical,info',
      statuses: 'new,false-alarm',
      assignee: '-',
      late: '0',
      media: '1',
      lasting: '1',
      search: '陳 A-1',
    });
  });

  it('says what narrows it beside its period', () => {
    expect(narrowingOf(FIRST_FILTER)).toEqual([]);
    expect(narrowingOf(EVERYTHING)).toHaveLength(10);
    expect(withoutNarrowing(EVERYTHING)).toEqual({
      ...FIRST_FILTER,
      period: 'range',
      fromDay: '2026-11-01',
      toDay: '2026-11-23',
    });
  });

  it('has the values of a list in one order, however they were chosen', () => {
    expect(filterOf({ severities: 'info,critical,info', statuses: 'closed,new' })).toMatchObject({
      severities: ['critical', 'info'],
      statuses: ['new', 'closed'],
    });
  });
});

describe('a saved filter', () => {
  const zone = 'Asia/Taipei';
  const save = (filter: HistoryFilter, nowMs: number) => savedQueryOf(filter, spanOf(filter, zone, nowMs));

  it('keeps a period as a period, and days as moments', () => {
    const period = { ...FIRST_FILTER, period: '30d', types: ['speeding'] } as const;
    expect(save(period, 0)).toEqual({ period: '30d', types: 'speeding' });
    expect(filterOfSaved(save(period, 0), zone)).toEqual(period);
    expect(save(EVERYTHING, 0)).toMatchObject({ from: String(Date.UTC(2026, 9, 31, 16)), media: '1' });
    expect(filterOfSaved(save(EVERYTHING, 0), zone)).toEqual(EVERYTHING);
    const open = { ...FIRST_FILTER, period: 'range', fromDay: '2026-11-01' } as const;
    expect(filterOfSaved(save(open, 0), zone)).toEqual(open);
  });

  it('of nothing is the first one', () => {
    expect(filterOfSaved({}, zone)).toEqual(FIRST_FILTER);
  });
});

describe('a period in the zone of the user', () => {
  const span = (period: HistoryFilter['period'], zone: string, now: string, days: Partial<HistoryFilter> = {}) => {
    const { fromMs, toMs } = spanOf({ ...FIRST_FILTER, ...days, period }, zone, Date.parse(now));
    const textOf = (atMs: number | undefined) => (atMs === undefined ? '' : new Date(atMs).toISOString().slice(0, 16));
    return [textOf(fromMs), textOf(toMs)];
  };

  it.each([
    ['24h', 'Asia/Taipei', '2026-11-23T17:30:59Z', ['2026-11-22T17:30', '']],
    // In Taipei it is the 24th already.
    ['today', 'Asia/Taipei', '2026-11-23T17:30:00Z', ['2026-11-23T16:00', '']],
    ['yesterday', 'Asia/Taipei', '2026-11-23T17:30:00Z', ['2026-11-22T16:00', '2026-11-23T16:00']],
    ['7d', 'UTC', '2026-03-03T00:00:00Z', ['2026-02-25T00:00', '']],
    ['30d', 'America/New_York', '2026-01-01T04:59:59Z', ['2025-12-02T05:00', '']],
    // Summer time begins on the 29th of March: yesterday had 23 hours; it ends on the 25th of October: 25.
    ['yesterday', 'Europe/Berlin', '2026-03-30T10:00:00Z', ['2026-03-28T23:00', '2026-03-29T22:00']],
    ['yesterday', 'Europe/Berlin', '2026-10-26T10:00:00Z', ['2026-10-24T22:00', '2026-10-25T23:00']],
    ['7d', 'Europe/Berlin', '2026-03-30T10:00:00Z', ['2026-03-23T23:00', '']],
    // In Santiago the day on which summer time begins has no midnight: it begins at one o'clock.
    ['yesterday', 'America/Santiago', '2026-09-07T12:00:00Z', ['2026-09-06T04:00', '2026-09-07T03:00']],
  ] as const)('%s in %s at %s', (period, zone, now, expected) => {
    expect(span(period, zone, now)).toEqual(expected);
  });

  it('takes both days of a range whole, and one without a day for no limit', () => {
    const days = { fromDay: '2026-10-25', toDay: '2026-10-25' };
    expect(span('range', 'Europe/Berlin', '2026-11-23T00:00:00Z', days)).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ]);
    expect(span('range', 'UTC', '2026-11-23T00:00:00Z', { fromDay: '2026-11-01' })).toEqual(['2026-11-01T00:00', '']);
    expect(span('range', 'UTC', '2026-11-23T00:00:00Z')).toEqual(['', '']);
  });

  it('counts days by the calendar', () => {
    expect(dayBefore(Date.UTC(2026, 2, 1), 1, 'UTC')).toBe('2026-02-28');
    expect(dayBefore(Date.UTC(2024, 2, 1), 1, 'UTC')).toBe('2024-02-29');
    expect(dayBefore(Date.UTC(2026, 0, 1), 366, 'UTC')).toBe('2024-12-31');
  });
});

describe('the choice of types', () => {
  const options = typeOptions([
    { code: 'smoking', name: 'Smoking', category: 'driver' },
    { code: 'speeding', name: 'Speeding', category: 'safety' },
    { code: 'fatigue', name: 'Fatigue', category: 'driver' },
  ]);
  const keys = (chosen: readonly TypeOption[]): readonly string[] => chosen.map(keyOf);

  it('has each category before its types, by name', () => {
    expect(keys(options)).toEqual(['@safety', 'speeding', '@driver', 'fatigue', 'smoking']);
  });

  it('has a category with all of its types, which stands for them, and a type that is gone by its code', () => {
    const chosen = chosenOptions(options, ['gone', 'smoking', 'fatigue']);
    expect(keys(chosen)).toEqual(['@driver', 'fatigue', 'smoking', 'gone']);
    expect(keys(shortOptions(chosen))).toEqual(['@driver', 'gone']);
    expect(keys(shortOptions(chosenOptions(options, ['smoking'])))).toEqual(['smoking']);
    expect(keys(chosenOptions(options, []))).toEqual([]);
  });

  it('takes a category for its types, when it comes and when it goes', () => {
    const [, speeding, driver, fatigue] = options;
    if (speeding === undefined || driver === undefined || fatigue === undefined) throw new Error('no options');
    expect(changedCodes([speeding], [speeding, driver])).toEqual(['speeding', 'fatigue', 'smoking']);
    const all = chosenOptions(options, ['speeding', 'fatigue', 'smoking']);
    const without = (key: string) =>
      changedCodes(
        all,
        all.filter((option) => keyOf(option) !== key),
      );
    expect(without('@driver')).toEqual(['speeding']);
    // A type is taken out of its category.
    expect(without('fatigue')).toEqual(['speeding', 'smoking']);
    expect(changedCodes([fatigue], [])).toEqual([]);
  });
});
