import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { useShownFences } from '../../../../shared/ui/map/fences/useShownFences.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { EventSplit, type ViewContext } from '../EventSplit.tsx';
import { queryOfFilter } from '../filter/filterQuery.ts';
import type { HistoryFilter } from '../filter/historyFilter.ts';
import type { PeriodSpan } from '../usePeriodSpan.ts';
import { EventsAtPlace } from './EventsAtPlace.tsx';
import { loadNewestEvents, type NewestEvents } from './newestEvents.ts';
import { useEventsMap } from './useEventsMap.ts';

export interface EventsMapViewProps {
  readonly filter: HistoryFilter;
  readonly period: PeriodSpan;
  readonly names: EventNames;
  readonly context: ViewContext;
}

const NO_EVENTS: readonly EventRow[] = [];

/** Where the newest events of the filter happened. */
export function EventsMapView({ filter, period, names, context }: EventsMapViewProps) {
  const { t } = useTranslation('HistoryEvent');
  const host = useRef<HTMLDivElement>(null);
  const [together, setTogether] = useState<readonly EventRow[]>(NO_EVENTS);
  const fences = useShownFences();
  const { search, ...filters } = queryOfFilter(filter, period.span);
  const loaded = useRecord({
    key: ['event-map', filters, search, context.reloads],
    load: (signal) => loadNewestEvents({ search, filters }, signal),
    keepsOther: true,
  });
  const { value } = loaded;
  const events = value?.events ?? NO_EVENTS;
  const select = (eventId: number | undefined) => {
    setTogether(NO_EVENTS);
    context.open(eventId);
  };
  const state = useEventsMap(host, {
    events,
    fences,
    selectedId: context.eventId,
    onSelect: select,
    onTogether: setTogether,
  });
  const text = loaded.failure && errorText(loaded.failure);
  return (
    <EventSplit context={context} rows={events}>
      {text !== undefined && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={loaded.reload}>
              {t('Try again')}
            </Button>
          }
        >
          {text}
        </Alert>
      )}
      {value !== undefined && <MapSummary shown={value} />}
      <Box sx={{ position: 'relative', flex: 1, minHeight: 320 }} aria-busy={loaded.isLoading}>
        <Box sx={{ position: 'absolute', inset: 0 }}>
          {/* The map's own styles make it relative: the place is its parent's to say. */}
          <Box
            ref={host}
            data-map={state.kind}
            data-events={events.length}
            data-fences={fences.length}
            sx={{ width: '100%', height: '100%' }}
          />
        </Box>
        <MapNotice state={state} />
        {together.length > 0 && (
          <EventsAtPlace
            events={together}
            names={names}
            onSelect={({ id }) => select(id)}
            onClose={() => setTogether(NO_EVENTS)}
          />
        )}
      </Box>
    </EventSplit>
  );
}

/** What the map leaves out. */
function MapSummary({ shown: { events, isCut } }: { readonly shown: NewestEvents }) {
  const { t } = useTranslation('HistoryEvent');
  const withoutPlace = useMemo(() => events.filter(({ lat }) => lat === null).length, [events]);
  return (
    <Box role="status" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, px: 1.5, py: 0.75, fontSize: 13 }}>
      <span>
        {isCut
          ? t('The newest {{number}} events are shown. Narrow the filters to see others.', { number: events.length })
          : t('Events: {{number}}', { number: events.length })}
      </span>
      {withoutPlace > 0 && <span>{t('Without position: {{number}}', { number: withoutPlace })}</span>}
    </Box>
  );
}
