import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whether the column holds the text somewhere; %, _ and \\ in it stand for themselves. Case is the caller's matter. */
export function likeSearch(column: string | RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const searched = typeof column === 'string' ? sql.ref(column) : column;
  return sql<SqlBool>`${searched} like ${pattern} escape '\\'`;
}
