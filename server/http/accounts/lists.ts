// What every call that lists records takes: a page, an order, a search.
import { Type } from 'typebox';

const DEFAULT_LIMIT = 50;

/** The query's schema: one of the sorts, and filters of the list's own beside it. */
export function ListQueryOf<const Sort extends string, Filters extends Type.TProperties>(
  sorts: readonly Sort[],
  filters: Filters,
) {
  return Type.Object(
    {
      offset: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })),
      limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d?|100)$' })),
      sort: Type.Optional(Type.Unsafe<Sort>(Type.String({ enum: [...sorts] }))),
      descending: Type.Optional(Type.Union([Type.Literal('0'), Type.Literal('1')])),
      search: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })),
      ...filters,
    },
    { additionalProperties: false },
  );
}

interface GivenList<Sort extends string> {
  readonly offset?: string;
  readonly limit?: string;
  readonly sort?: Sort;
  readonly descending?: '0' | '1';
  readonly search?: string;
}

export function readListQuery<Sort extends string>(query: GivenList<Sort>, usual: Sort) {
  const search = query.search?.trim();
  return {
    offset: Number(query.offset ?? 0),
    limit: Number(query.limit ?? DEFAULT_LIMIT),
    sort: query.sort ?? usual,
    descending: query.descending === '1',
    search: search === '' ? undefined : search,
  };
}

/** The shape of a list's answer. */
export function PageOf<Row extends Type.TSchema>(row: Row) {
  return Type.Object({ total: Type.Integer(), rows: Type.Array(row) });
}

/** A whole number in a query. */
export const NumberText = Type.String({ pattern: '^\\d{1,15}$' });
