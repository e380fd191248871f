// All rows of a list, a page at a time: what an export sends is never in memory as a whole.
const ROWS_A_PAGE = 500;

/** `load` gives the rows from `offset` on, at most `limit` of them. */
export async function* allRows<Row>(
  load: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly Row[]>,
  cells: (row: Row) => readonly string[],
): AsyncGenerator<readonly (readonly string[])[]> {
  for (let offset = 0; ; offset += ROWS_A_PAGE) {
    const rows = await load({ offset, limit: ROWS_A_PAGE });
    if (rows.length > 0) yield rows.map(cells);
    if (rows.length < ROWS_A_PAGE) return;
  }
}

/** A moment as exports have it: the same for every reader, and sortable as text. Empty for none. */
export function csvTimestamp(atMs: number): string {
  return atMs === 0 ? '' : new Date(atMs).toISOString();
}
