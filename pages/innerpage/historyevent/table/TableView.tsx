import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { listEvents, requestEventSheetAddress } from '../../../../shared/api/events.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import { EVENT_SORTS, EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENTS_AT_ONCE } from '../../../../shared/protocol/events/eventWords.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ActButtons } from '../../../../shared/ui/events/detail/ActButtons.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { DownloadButton } from '../../../../shared/ui/files/DownloadButton.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { SelectionBar } from '../../../../shared/ui/table/SelectionBar.tsx';
import { listQueryOf, type Sorting } from '../../../../shared/ui/table/tableState.ts';
import { type Table, useTable } from '../../../../shared/ui/table/useTable.ts';
import { EventSplit, type ViewContext } from '../EventSplit.tsx';
import { queryOfFilter } from '../filter/filterQuery.ts';
import { FIRST_VIEW, type HistoryView } from '../filter/historyAddress.ts';
import { type HistoryFilter, withoutNarrowing } from '../filter/historyFilter.ts';
import type { ShownView } from '../useHistoryView.ts';
import type { PeriodSpan } from '../usePeriodSpan.ts';
import { newestRows, selectedRows } from './selection.ts';
import { useEventColumns } from './useEventColumns.tsx';

export interface TableViewProps {
  readonly shown: ShownView;
  readonly period: PeriodSpan;
  readonly names: EventNames;
  readonly context: ViewContext;
}

const NO_ROWS: readonly EventRow[] = [];

export function TableView({ shown, period, names, context }: TableViewProps) {
  const { t } = useTranslation('HistoryEvent');
  const { filter, show } = shown;
  const table = useEventTable(shown, period);
  const { rows } = table.list.page;
  useReloads(context.reloads, table.reload);
  const [chosen, setChosen] = useChosenRows(filter);
  const selected = newestRows(chosen, [...rows, ...context.changed]);
  const select = (ids: readonly (string | number)[]) => {
    const next = selectedRows(ids, rows, selected);
    if (next.length > EVENTS_AT_ONCE) notify('info', t('Select at most {{limit}} events.', { limit: EVENTS_AT_ONCE }));
    setChosen(next.slice(0, EVENTS_AT_ONCE));
  };
  return (
    <EventSplit context={context} rows={rows}>
      {selected.length > 0 && (
        <SelectionBar label={t('Selected events')} count={selected.length} onClear={() => setChosen(NO_ROWS)}>
          <ActButtons events={selected} acts={context.acts} />
        </SelectionBar>
      )}
      <DataTable
        table={table}
        label={t('Events')}
        columns={useEventColumns(names)}
        rowId={({ id }) => id}
        onOpen={({ id }) => context.open(id)}
        openedId={context.eventId}
        selection={selected.map(({ id }) => id)}
        onSelect={select}
        onClearFilters={() => show({ filter: withoutNarrowing(filter) })}
        emptyHint={t('No events in this period.')}
        csvPath={EVENTS_PATH}
        toolbar={<SheetButton table={table} />}
        hasTimes
      />
    </EventSplit>
  );
}

/** Another filter begins without a selection: nobody means rows that they don't see. */
function useChosenRows(filter: HistoryFilter) {
  const narrowing = JSON.stringify(filter);
  const [chosen, setChosen] = useState({ narrowing, rows: NO_ROWS });
  if (chosen.narrowing !== narrowing) setChosen({ narrowing, rows: NO_ROWS });
  return [chosen.rows, (rows: readonly EventRow[]) => setChosen({ narrowing, rows })] as const;
}

function useEventTable({ filter, sort, isDescending, show }: ShownView, { span }: PeriodSpan): Table<EventRow> {
  const { search = '', ...query } = useMemo(() => queryOfFilter(filter, span), [filter, span]);
  const { from, to, ...filters } = query;
  return useTable({
    name: 'events',
    load: listEvents,
    sorting: { column: sort, descending: isDescending },
    onSorting: (sorting) => show(sortOf(sorting)),
    filters,
    // Without other filters an empty list says that nothing was in the period.
    scope: { from, to },
    search,
  });
}

function sortOf(sorting: Sorting | undefined): Pick<HistoryView, 'sort' | 'isDescending'> {
  const { sort, isDescending } = FIRST_VIEW;
  if (sorting === undefined) return { sort, isDescending };
  return { sort: EVENT_SORTS.find((each) => each === sorting.column) ?? sort, isDescending: sorting.descending };
}

/** Asks again for the page in view whenever the number is another. */
function useReloads(reloads: number, reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => {
    if (reloads > 0) ask();
  }, [reloads]);
}

/** The whole list as a spreadsheet, in the user's language and zone. */
function SheetButton({ table }: { readonly table: Table<EventRow> }) {
  const { t } = useTranslation('HistoryEvent');
  const timeZone = useUserZone();
  const request = (): Promise<ApiResult<string>> =>
    requestEventSheetAddress(listQueryOf(table.choice), { lang: currentLocale(), timeZone });
  return <DownloadButton label={t('Export XLSX')} request={request} />;
}
