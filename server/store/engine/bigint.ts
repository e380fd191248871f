import { type RawBuilder, sql } from 'kysely';

/** A number beside no column that tells its type, or one that may be larger than the column takes. */
export function bigint(value: number): RawBuilder<number> {
  return sql`cast(${value} as bigint)`;
}
