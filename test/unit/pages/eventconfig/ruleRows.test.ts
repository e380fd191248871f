import { describe, expect, test } from 'vitest';
import {
  NO_FILTER,
  nearestOrigin,
  type RulesFilter,
  ruleList,
} from '../../../../pages/innerpage/eventconfig/rules/ruleRows.ts';
import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { RuleKeeper } from '../../../dom/pages/eventconfig/ruleKeeper.ts';

const HARBOR = { scope: 'group', group: '3' } as const;
const TYPES = ['speeding', 'idling', 'video-loss', 'collision'];

const keeper = new RuleKeeper();
keeper.set({ scope: 'installation' }, 'idling', { durationSeconds: 900 });
keeper.set({ scope: 'group', group: '1' }, 'speeding', { threshold: 90 });
keeper.set(HARBOR, 'video-loss', { enabled: false });

const named = (row: EventRuleRow) => ({ ...row, name: `Name of ${row.type}`, icon: 'flag', color: '' }) as const;
const list = ruleList(keeper.rows(HARBOR, TYPES).map(named), (left, right) =>
  left < right ? -1 : left > right ? 1 : 0,
);

function found(search: string, filter: Partial<RulesFilter> = {}, sort = 'name') {
  const query = { place: { offset: 0 }, limit: 50, sort, search, filters: { ...NO_FILTER, ...filter } };
  return localPage(list, query).rows.map(({ type }) => type);
}

describe('the rules of a place', () => {
  test('are found by the name that the user sees, by the English name, and by the code', () => {
    expect(found('name of speed')).toEqual(['speeding']);
    expect(found('Video loss')).toEqual(['video-loss']);
    expect(found('video-l')).toEqual(['video-loss']);
  });

  test('are filtered by category, by state, and by what the place sets itself', () => {
    expect(found('', { category: 'safety' })).toEqual(['collision', 'speeding']);
    expect(found('', { state: 'off' })).toEqual(['video-loss']);
    expect(found('', { origin: 'here' })).toEqual(['video-loss']);
  });

  test('are sorted by category, severity and origin', () => {
    expect(found('', {}, 'category')[0]).toBe('collision');
    expect(found('', {}, 'severity')[0]).toBe('collision');
    expect(found('', {}, 'origin')[0]).toBe('video-loss');
  });

  test('say which place is nearest, of those that set something', () => {
    const origins = list.rows.map((row) => [row.type, nearestOrigin(row).kind, nearestOrigin(row).name]);
    expect(origins).toEqual([
      ['speeding', 'group', 'North'],
      ['idling', 'installation', ''],
      ['video-loss', 'group', 'Harbor'],
      ['collision', 'default', ''],
    ]);
  });
});
