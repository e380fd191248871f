import type { SqlBool } from 'kysely';
import { type RawBuilder, sql } from 'kysely';

/** Whether the column holds the text somewhere; %, _ and \ in it stand for themselves. Case is the caller's matter. */
export function likeSearch(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
