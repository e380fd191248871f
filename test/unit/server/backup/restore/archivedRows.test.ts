import { describe, expect, it } from 'vitest';
import type { ArchiveItem } from '../../../../../server/backup/archive/archiveItem.ts';
import { ArchivedRows } from '../../../../../server/backup/restore/archivedRows.ts';

const COLUMNS = ['id', 'name'].map((name) => ({ name, type: 'text' as const }));

function rowsOf(cells: readonly (readonly unknown[])[]): ArchiveItem {
  const lines = Buffer.from(cells.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { type: 'rows', lines, rows: cells.length };
}

function taken(parts: readonly ArchiveItem[], max = 3): ArchivedRows {
  const rows = new ArchivedRows(new Map([['device', ['id']]]), max);
  rows.take({ type: 'table', table: { name: 'device', columns: COLUMNS, lastSerial: 0 } });
  for (const part of parts) rows.take(part);
  rows.take({ type: 'table-end' });
  return rows;
}

describe('rows of an archive', () => {
  it('are held with the columns that are wanted', () => {
    const rows = taken([rowsOf([['a', 'A']]), rowsOf([['b', 'B']])]);
    expect(rows.rowsOf('device')).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(rows.rowsOf('role')).toBeUndefined();
  });

  it('are not held where there are too many', () => {
    const three = ['a', 'b', 'c'].map((id) => [id, id]);
    expect(taken([rowsOf(three)]).rowsOf('device')).toHaveLength(3);
    expect(taken([rowsOf(three), rowsOf([['d', 'd']])]).rowsOf('device')).toBeUndefined();
  });

  it('are not held where they are too long', () => {
    const long = rowsOf([['x'.repeat(12 * 1024 * 1024), '']]);
    expect(taken([long, long]).rowsOf('device')).toHaveLength(2);
    expect(taken([long, long, long]).rowsOf('device')).toBeUndefined();
  });
});
