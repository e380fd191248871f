/** A list of rows with lines between them: columns beside one another, and below one another on a phone. */
export const ROW_LIST = {
  listStyle: 'none',
  m: 0,
  p: 0,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  minWidth: 0,
} as const;

/** `columns`: of a wide window, as CSS has them. */
export function rowStyle(columns: string) {
  return {
    display: 'grid',
    gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: columns },
    columnGap: 2,
    rowGap: 0.25,
    px: 1.5,
    py: 0.75,
    '& + &': { borderTop: 1, borderColor: 'divider' },
  } as const;
}
