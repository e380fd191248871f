import { type RawBuilder, type SqlBool, sql } from 'kysely';

type Column = string | RawBuilder<unknown>;

/** Whether the column holds the text somewhere; %, _ and \\ in it stand for themselves. Case is the caller's matter. */
export function likeSearch(column: Column, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const searched = typeof column === 'string' ? sql.ref(column) : column;
  return sql<SqlBool>`${searched} like ${pattern} escape '\\'`;
}

/** Whether one of the columns holds the text somewhere, in small letters or large; undefined for a text of blanks. */
export function searchIn(columns: readonly Column[], text: string): RawBuilder<SqlBool> | undefined {
  const words = text.trim().toLowerCase();
  if (words === '') return undefined;
  const lower = (column: Column) => sql`lower(${typeof column === 'string' ? sql.ref(column) : column})`;
  const found = columns.map((column) => likeSearch(lower(column), words));
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}
