import type { FastifyInstance } from 'fastify';
import {
  EVENT_LIST_ROWS,
  EVENT_SORTS,
  EVENTS_PATH,
  EventFilters,
  EventRow,
} from '../../../../shared/protocol/api/events.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { EVENT_ACCESS, type EventWorkDeps, eventScopeOf } from '../eventWorkDeps.ts';
import { EVENT_CSV_COLUMNS, eventCells } from './eventCsv.ts';
import { readEventFilter } from './eventQuery.ts';
import { eventSheet } from './eventSheet.ts';

/** `GET /api/event/events`, and the whole of such a list as files. */
export function registerEventList(app: FastifyInstance, deps: EventWorkDeps): void {
  listRoutes(app, {
    path: EVENTS_PATH,
    summary: 'Events',
    access: EVENT_ACCESS,
    row: EventRow,
    sorts: EVENT_SORTS,
    order: { sort: 'time', descending: true },
    filters: EventFilters,
    maxRows: EVENT_LIST_ROWS,
    scope: (request) => eventScopeOf(scopeOf(callerOf(request))),
    load: async ({ filters, search, ...page }, scope) => {
      const filter = readEventFilter({ ...filters, search });
      return filter === undefined ? undefined : deps.stores.eventList.page({ ...page, ...filter, ...scope });
    },
    csv: { fileName: 'events.csv', columns: EVENT_CSV_COLUMNS, cells: () => eventCells },
    sheet: { fileName: 'events.xlsx', layout: (_, reader) => eventSheet(deps, reader) },
  });
}
