// The past events of a filter, which stands in the address: as a table, on a map, or counted by day.
import RefreshIcon from '@mui/icons-material/Refresh';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { useUserZone } from '../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { useEventActs } from '../../../shared/ui/events/useEventActs.tsx';
import { useEventNames } from '../../../shared/ui/events/useEventNames.ts';
import { useFencesAtHand } from '../../../shared/ui/map/fences/useShownFences.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { DaysView } from './days/DaysView.tsx';
import { EventSplit, type ViewContext } from './EventSplit.tsx';
import { filterOfSaved, savedQueryOf } from './filter/filterQuery.ts';
import { HistoryFilters } from './filter/HistoryFilters.tsx';
import { VIEWS, type View } from './filter/historyAddress.ts';
import { type HistoryFilter, narrowingOf, withoutNarrowing } from './filter/historyFilter.ts';
import { SavedFilters } from './saved/SavedFilters.tsx';
import { TableView } from './table/TableView.tsx';
import { useHistoryView } from './useHistoryView.ts';
import { usePeriodSpan } from './usePeriodSpan.ts';
import { useTypedSearch } from './useTypedSearch.ts';

const EventsMapView = lazyPart('EventsMapView', async () => (await import('./map/EventsMapView.tsx')).EventsMapView);

export function HistoryEvents() {
  const zone = useUserZone();
  const names = useEventNames();
  const shown = useHistoryView();
  const { filter, view, show } = shown;
  const period = usePeriodSpan(filter, zone);
  useFencesAtHand();
  const [typed, type] = useTypedSearch(filter.search, shown.showSearch);
  const { context, reload } = useViewContext(shown.eventId, show);
  const refresh = () => {
    period.renew();
    reload();
  };
  return (
    <Box sx={PAGE}>
      <HistoryFilters
        filter={filter}
        typed={typed}
        names={names}
        onChange={(next) => show({ filter: next })}
        onType={type}
      />
      <Box sx={TOOLS}>
        <ViewSwitch view={view} onChange={(next) => show({ view: next })} />
        <SavedFilters
          query={savedQueryOf(filter, period.span)}
          onApply={(query) => show({ filter: filterOfSaved(query, zone) })}
        />
        <ClearButton filter={filter} onClear={(next) => show({ filter: next })} />
        <RefreshButton onRefresh={refresh} />
      </Box>
      {view === 'table' && <TableView shown={shown} period={period} names={names} context={context} />}
      {view === 'map' && (
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            <EventsMapView filter={filter} period={period} names={names} context={context} />
          </Suspense>
        </ChunkBoundary>
      )}
      {view === 'days' && (
        <EventSplit context={context} rows={NO_EVENTS}>
          <DaysView
            filter={filter}
            period={period}
            reloads={context.reloads}
            onDay={(day) => show({ view: 'table', filter: { ...filter, period: 'range', fromDay: day, toDay: day } })}
          />
        </EventSplit>
      )}
      {context.acts.dialog}
    </Box>
  );
}

const NO_EVENTS: readonly EventRow[] = [];
/** Maximum changed events whose current state is remembered; the list gives the state of any other. */
const REMEMBERED = 2_000;

function useViewContext(eventId: number | undefined, show: ReturnType<typeof useHistoryView>['show']) {
  const [changed, setChanged] = useState(NO_EVENTS);
  const [reloads, setReloads] = useState(0);
  const reload = () => setReloads((count) => count + 1);
  const acts = useEventActs({
    onChanged: (events) => {
      setChanged((before) => [...events, ...before].slice(0, REMEMBERED));
      reload();
    },
  });
  const open = (next: number | undefined): void =>
    // Going from one event to the next adds no history entry.
    show({ eventId: next }, next !== undefined && eventId !== undefined ? 'replace' : 'push');
  const context: ViewContext = { eventId, open, acts, changed, reloads };
  return { context, reload };
}

interface ViewSwitchProps {
  readonly view: View;
  readonly onChange: (view: View) => void;
}

function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const { t } = useTranslation('HistoryEvent');
  const labels: Readonly<Record<View, string>> = { table: t('Table'), map: t('Map'), days: t('By day') };
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      color="primary"
      value={view}
      onChange={(_event, next: View | null) => next !== null && onChange(next)}
      aria-label={t('View')}
    >
      {VIEWS.map((each) => (
        <ToggleButton key={each} value={each} sx={{ py: 0.25, px: 1.5, textTransform: 'none' }}>
          {labels[each]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface ClearButtonProps {
  readonly filter: HistoryFilter;
  readonly onClear: (filter: HistoryFilter) => void;
}

function ClearButton({ filter, onClear }: ClearButtonProps) {
  const { t } = useTranslation('HistoryEvent');
  if (narrowingOf(filter).length === 0) return null;
  return (
    <Button size="small" onClick={() => onClear(withoutNarrowing(filter))}>
      {t('Clear filters')}
    </Button>
  );
}

function RefreshButton({ onRefresh }: { readonly onRefresh: () => void }) {
  const { t } = useTranslation('HistoryEvent');
  return (
    <Tooltip title={t('Refresh')}>
      <IconButton size="small" aria-label={t('Refresh')} onClick={onRefresh}>
        <RefreshIcon fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}

const PAGE = { flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 1.25 } as const;
const TOOLS = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 } as const;
