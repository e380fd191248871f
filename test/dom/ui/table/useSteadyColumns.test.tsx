import type { GridColDef } from '@mui/x-data-grid';
import { renderHook } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { useSteadyColumns } from '../../../../shared/ui/table/useSteadyColumns.ts';

interface Truck {
  readonly name: string;
}

const columnsWith = (title: string, text: string): GridColDef<Truck>[] => [
  { field: 'name', headerName: title, valueGetter: (_, { name }) => `${name} ${text}`, renderCell: () => text },
];

function showColumns() {
  const initialProps = { title: 'Name', text: 'first' };
  return renderHook(({ title, text }) => useSteadyColumns(columnsWith(title, text)), { initialProps });
}

describe('the columns that the grid gets', () => {
  test('stay the same while only what they show changes, and show the newest', () => {
    const { result, rerender } = showColumns();
    const [before] = result.current;
    rerender({ title: 'Name', text: 'second' });
    expect(result.current[0]).toBe(before);
    expect(before?.renderCell?.({} as never)).toBe('second');
    expect(before?.valueGetter?.(undefined as never, { name: 'Bus' }, before, {} as never)).toBe('Bus second');
  });

  test('are others once a title is another, such as in another language', () => {
    const { result, rerender } = showColumns();
    const before = result.current;
    rerender({ title: '名前', text: 'first' });
    expect(result.current).not.toBe(before);
    expect(result.current[0]?.headerName).toBe('名前');
  });
});
