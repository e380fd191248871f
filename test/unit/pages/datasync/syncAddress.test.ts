import { describe, expect, test } from 'vitest';
import {
  FIRST_SYNC_VIEW,
  queryOfView,
  type SyncView,
  viewOfQuery,
} from '../../../../pages/innerpage/datasync/syncAddress.ts';

describe('the address', () => {
  test.each<[string, SyncView]>([
    ['', FIRST_SYNC_VIEW],
    ['tab=rules', { ...FIRST_SYNC_VIEW, tab: 'rules' }],
    ['state=failed&rule=12&device=BUS 1', { ...FIRST_SYNC_VIEW, state: 'failed', rule: '12', device: 'BUS 1' }],
    [
      'tab=calendar&device=BUS1&month=2026-11&day=2026-11-25',
      { ...FIRST_SYNC_VIEW, tab: 'calendar', device: 'BUS1', month: '2026-11', day: '2026-11-25' },
    ],
  ])('%s and back', (query, view) => {
    expect(viewOfQuery(`?${query}`)).toEqual(view);
    const written = queryOfView(view);
    expect(viewOfQuery(written)).toEqual(view);
    expect(Object.fromEntries(new URLSearchParams(written))).toEqual(Object.fromEntries(new URLSearchParams(query)));
  });

  test('leaves out what it does not know', () => {
    const query = '?tab=x&state=lazy&rule=-1&month=2026-13&day=2026-11-32';
    expect(viewOfQuery(query)).toEqual(FIRST_SYNC_VIEW);
    expect(viewOfQuery('?rule=0&month=26-01&day=20261125')).toEqual(FIRST_SYNC_VIEW);
  });
});
