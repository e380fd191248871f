// What a table asks for. No React here.
import type { ListPlace, ListQuery } from '../../api/list.ts';
import type { QueryValues } from '../../api/query.ts';
import { endOfDay, startOfDay } from '../../time/format.ts';
import type { DayJump } from './paging.ts';

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

export interface TableChoice {
  readonly place: ListPlace;
  readonly pageSize: number;
  readonly sorting: Sorting | undefined;
  readonly search: string;
  readonly filters: QueryValues;
  /** What the list is of, which narrows nothing: a group that was chosen beside the table. */
  readonly scope?: QueryValues;
}

export function listQueryOf({ place, pageSize, sorting, search, filters, scope }: TableChoice): ListQuery {
  return {
    place,
    limit: pageSize,
    sort: sorting?.column,
    descending: sorting?.descending,
    search,
    filters: { ...scope, ...filters },
  };
}

/** Where a list that is sorted by a moment goes on from a day: the latest moment of it, or the earliest. */
export function jumpTo(day: string, sorting: Sorting | undefined, zone: string): DayJump | undefined {
  const end = endOfDay(day, zone);
  const startMs = sorting?.descending === true && end !== undefined ? end - 1 : startOfDay(day, zone);
  return startMs === undefined ? undefined : { day, startMs: Math.max(0, startMs) };
}

/** Whether anything narrows the list: then an empty one says nothing of what there is. */
export function isNarrowed({ search, filters }: Pick<TableChoice, 'search' | 'filters'>): boolean {
  return (
    search.trim() !== '' ||
    Object.values(filters).some((value) => value !== undefined && value !== null && value !== '')
  );
}
