import { describe, expect, test } from 'vitest';
import { NO_FILTER, queryOfFilter } from '../../../../pages/innerpage/membership/audit/AuditFilters.tsx';
import {
  changeRows,
  changeSummary,
  detailRows,
  type FieldWords,
} from '../../../../pages/innerpage/membership/audit/changeRows.ts';

const WORDS: FieldWords = {
  fieldName: (field) => (field === 'plate' ? 'Plate' : field),
  value: (field, text) => (field === 'mode' && text === 'off' ? 'Not recorded' : text),
  moment: (atMs) => new Date(atMs).toISOString(),
  yes: 'Yes',
  no: 'No',
};

describe('an entry of the audit', () => {
  const before = { name: 'Old', plate: 'A', groups: [1] };
  const after = { name: '<b>New</b>', groups: [1, 2], chn: 4 };

  test('says field by field what was before and after', () => {
    expect(changeRows({ before, after }, WORDS)).toEqual([
      { field: 'chn', before: undefined, after: '4' },
      { field: 'groups', before: '1', after: '1, 2' },
      { field: 'name', before: 'Old', after: '<b>New</b>' },
      { field: 'Plate', before: 'A', after: undefined },
    ]);
    expect(changeRows({ before: null, after: null }, WORDS)).toEqual([]);
  });

  test('is one line in the table', () => {
    expect(changeSummary({ before, after, detail: { reason: 'x' } }, WORDS)).toBe(
      'chn: 4; groups: 1 → 1, 2; name: Old → <b>New</b>; Plate: A →; reason: x',
    );
    expect(changeSummary({ before: null, after: null, detail: {} }, WORDS)).toBe('');
  });

  test('has fields of its own only, whatever they are called', () => {
    expect(changeRows({ before: null, after: JSON.parse('{"toString":"x"}') }, WORDS)).toEqual([
      { field: 'toString', before: undefined, after: 'x' },
    ]);
    expect(detailRows({ b: null, a: true }, WORDS)).toEqual([
      { field: 'a', text: 'Yes' },
      { field: 'b', text: '–' },
    ]);
  });

  test('says moments, lists and what is on or off in words', () => {
    const at = Date.UTC(2026, 6, 1);
    expect(
      detailRows({ atMs: at, endMs: 0, kinds: ['live', 'export'], off: false, places: [{ lat: 1 }] }, WORDS),
    ).toEqual([
      { field: 'atMs', text: '2026-07-01T00:00:00.000Z' },
      { field: 'endMs', text: '–' },
      { field: 'kinds', text: 'live, export' },
      { field: 'off', text: 'No' },
      { field: 'places', text: 'lat: 1' },
    ]);
  });

  test('says values that have a name in words, within a field too, and others as they are', () => {
    const recording = { before: null, after: { name: 'off', recording: [{ mode: 'off', quality: 'main' }] } };
    expect(changeRows(recording, WORDS)).toEqual([
      { field: 'name', before: undefined, after: 'off' },
      { field: 'recording', before: undefined, after: 'mode: Not recorded, quality: main' },
    ]);
  });

  test('says what lies within a field too, and shows no bare brackets', () => {
    const at = Date.UTC(2026, 6, 1);
    const changed = [
      { plate: 'A', changes: [{ from: '', to: 'B' }] },
      { plate: 'C', atMs: at },
    ];
    expect(detailRows({ changed, empty: [], none: {}, counts: { added: 2, refused: 0 }, text: '' }, WORDS)).toEqual([
      { field: 'changed', text: 'Plate: A, changes: from: –, to: B; Plate: C, atMs: 2026-07-01T00:00:00.000Z' },
      { field: 'counts', text: 'added: 2, refused: 0' },
      { field: 'empty', text: '–' },
      { field: 'none', text: '–' },
      { field: 'text', text: '–' },
    ]);
  });
});

test('the days of a filter are those of the reader, the last one to its end', () => {
  expect(queryOfFilter({ ...NO_FILTER, fromDay: '2026-07-01', toDay: '2026-07-01' }, 'Asia/Taipei')).toEqual({
    from: Date.UTC(2026, 5, 30, 16),
    to: Date.UTC(2026, 6, 1, 16),
  });
  expect(queryOfFilter(NO_FILTER, 'UTC')).toEqual({});
  expect(queryOfFilter({ ...NO_FILTER, action: 'link.add', actor: 'mei', toDay: '2026-02-30' }, 'UTC')).toEqual({
    action: 'link.add',
    actor: 'mei',
  });
});
