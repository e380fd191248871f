import { describe, expect, test } from 'vitest';
import { type TypeRow, type TypesFilter, typeList } from '../../../../pages/innerpage/eventdefine/types/typeRows.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { anyEventType } from '../../../support/anyEventType.ts';

const row = (code: string, name: string, changes: Partial<TypeRow> = {}): TypeRow => ({
  ...anyEventType(),
  nameEn: '',
  code,
  name,
  version: 1,
  isBuiltIn: true,
  unit: 'none',
  hasRule: false,
  source: null,
  ...changes,
});

const ROWS = [
  row('speeding', '超速', { category: 'safety', severity: 'major', needsAcknowledgment: true }),
  row('fatigue', '疲勞駕駛', { category: 'driver', severity: 'critical', needsAcknowledgment: false }),
  row('refueling', '加油', { category: 'device', severity: 'info', enabled: false, needsAcknowledgment: false }),
  row('custom-1', '坡道', {
    category: 'safety',
    severity: 'minor',
    nameEn: 'Ramp down',
    isBuiltIn: false,
    needsAcknowledgment: false,
  }),
];
const { compare } = new Intl.Collator('en');

function found(query: { sort?: string; descending?: boolean; search?: string; filters?: Partial<TypesFilter> }) {
  const page = localPage(typeList(ROWS, compare), { place: { offset: 0 }, limit: 50, sort: 'severity', ...query });
  return page.rows.map(({ code }) => code);
}

describe('the table of event types', () => {
  test.each([
    ['severity', ['fatigue', 'speeding', 'custom-1', 'refueling']],
    ['category', ['custom-1', 'speeding', 'fatigue', 'refueling']],
    ['needsAcknowledgment', ['speeding', 'refueling', 'custom-1', 'fatigue']],
    ['enabled', ['custom-1', 'fatigue', 'speeding', 'refueling']],
    ['isBuiltIn', ['custom-1', 'refueling', 'fatigue', 'speeding']],
  ])('is sorted by %s, and by name where that is equal', (sort, codes) => {
    expect(found({ sort })).toEqual(codes);
  });

  test('is sorted by name as the language does', () => {
    const byName = [...ROWS].sort((left, right) => compare(left.name, right.name)).map(({ code }) => code);
    expect(found({ sort: 'name' })).toEqual(byName);
    expect(found({ sort: 'name', descending: true })).toEqual([...byName].reverse());
  });

  test('is searched by the names that are shown, given and built in', () => {
    expect(found({ search: '超速' })).toEqual(['speeding']);
    expect(found({ search: 'speed' })).toEqual(['speeding']);
    expect(found({ search: 'ramp' })).toEqual(['custom-1']);
    expect(found({ search: 'nothing' })).toEqual([]);
  });

  test('is filtered by category, severity and state', () => {
    expect(found({ filters: { category: 'safety', severity: '', state: '' } })).toEqual(['speeding', 'custom-1']);
    expect(found({ filters: { severity: 'critical' } })).toEqual(['fatigue']);
    expect(found({ filters: { state: 'off' } })).toEqual(['refueling']);
    expect(found({ filters: { category: 'safety', state: 'off' } })).toEqual([]);
  });
});
