import { describe, expect, it } from 'vitest';
import {
  ALL_EVENTS,
  countEvents,
  type EventFilter,
  type FilterContext,
  filterEvents,
  groupsOf,
  isFiltered,
  toggled,
  typesOf,
} from '../../../../pages/innerpage/todayevent/model/eventFilter.ts';
import { eventRow } from '../../../support/eventRow.ts';

const ROWS = [
  eventRow({ id: 1 }),
  eventRow({ id: 2, severity: 'critical', type: 'emergency', assignee: 'mei', status: 'in-progress' }),
  eventRow({
    id: 3,
    severity: 'critical',
    type: 'emergency',
    status: 'closed',
    assignee: 'kai',
    deviceName: 'Hill line 7',
  }),
  eventRow({
    id: 4,
    severity: 'info',
    type: 'gateway-started',
    deviceid: '',
    deviceName: '',
    plate: '',
    group: 0,
    groupName: '',
  }),
  eventRow({ id: 5, type: 'fatigue', group: 2, groupName: 'East', driver: 'Lin Yi' }),
];
const CONTEXT: FilterContext = {
  username: 'mei',
  nameOf: (type) => ({ emergency: 'Emergency (SOS)', speeding: 'Speeding' })[type] ?? type,
  categoryOf: (type) => (type === 'fatigue' ? 'driver' : type === 'gateway-started' ? 'system' : 'safety'),
};
const idsWith = (part: Partial<EventFilter>) =>
  filterEvents(ROWS, { ...ALL_EVENTS, ...part }, CONTEXT).map(({ id }) => id);

describe('the filter', () => {
  it.each<[Partial<EventFilter>, readonly number[]]>([
    [{}, [1, 2, 3, 4, 5]],
    [{ severities: ['critical'] }, [2, 3]],
    [{ severities: ['critical', 'info'] }, [2, 3, 4]],
    [{ statuses: ['new'] }, [1, 4, 5]],
    [{ severities: ['critical'], statuses: ['closed'] }, [3]],
    [{ category: 'driver' }, [5]],
    [{ type: 'emergency' }, [2, 3]],
    [{ group: '2' }, [5]],
    [{ owner: 'mine' }, [2]],
    [{ owner: 'unassigned' }, [1, 4, 5]],
    [{ search: 'sos hill' }, [3]],
    [{ search: '  LIN  yi ' }, [5]],
    [{ search: 'kaa-0001 speeding' }, [1]],
    [{ search: 'nowhere' }, []],
  ])('%j lists %j', (part, expected) => {
    expect(idsWith(part)).toEqual(expected);
    expect(isFiltered({ ...ALL_EVENTS, ...part })).toBe(Object.keys(part).length > 0);
  });

  it('of blanks is none', () => {
    expect(isFiltered({ ...ALL_EVENTS, search: '  ' })).toBe(false);
  });
});

describe('the counters', () => {
  it('count all of the day', () => {
    const { severities, statuses } = countEvents(ROWS, ALL_EVENTS, CONTEXT);
    expect(severities).toEqual({ critical: 2, major: 2, minor: 0, info: 1 });
    expect(statuses).toEqual({ new: 3, acknowledged: 0, 'in-progress': 1, closed: 1, 'false-alarm': 0 });
  });

  it('say how many a click would list: each leaves its own choice out, and heeds all others', () => {
    const filter: EventFilter = { ...ALL_EVENTS, severities: ['critical'], group: '1' };
    const { severities, statuses } = countEvents(ROWS, filter, CONTEXT);
    expect(severities).toMatchObject({ critical: 2, major: 1, info: 0 });
    expect(statuses).toMatchObject({ new: 0, 'in-progress': 1, closed: 1 });
  });
});

it('a choice is taken in and out again', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
});

it('groups and types to choose from are those of the day, without the group that system events do not have', () => {
  expect(groupsOf(ROWS)).toEqual([
    { serialno: 2, name: 'East' },
    { serialno: 1, name: 'North' },
  ]);
  expect(typesOf(ROWS)).toEqual(['emergency', 'fatigue', 'gateway-started', 'speeding']);
});
