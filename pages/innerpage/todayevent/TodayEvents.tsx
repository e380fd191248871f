// The list of today's events as they come, and the event that is open.
import FilterIcon from '@mui/icons-material/FilterList';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUserZone } from '../../../shared/time/userZone.ts';
import { ActButtons } from '../../../shared/ui/events/detail/ActButtons.tsx';
import { EventDetailPanel } from '../../../shared/ui/events/EventDetailPanel.tsx';
import { type EventActs, type OfferedAct, useEventActs } from '../../../shared/ui/events/useEventActs.tsx';
import { type LoadedEventNames, useEventNames } from '../../../shared/ui/events/useEventNames.ts';
import { useFencesAtHand } from '../../../shared/ui/map/fences/useShownFences.ts';
import { SelectionBar } from '../../../shared/ui/table/SelectionBar.tsx';
import { useIsNarrow } from '../../../shared/ui/useIsNarrow.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { EventListTools } from './EventListTools.tsx';
import { CountChips } from './filters/CountChips.tsx';
import { EventFilters } from './filters/EventFilters.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { CutNotice, HeldNotice, LoadFailure, NoEvents } from './ListNotices.tsx';
import { EventList } from './list/EventList.tsx';
import { isFiltered } from './model/eventFilter.ts';
import { NewEventsStatus } from './NewEventsStatus.tsx';
import { type ShownDay, useDayEvents } from './useDayEvents.ts';
import { type EventChoice, useEventChoice } from './useEventChoice.ts';
import { useEventCommands } from './useEventCommands.ts';
import { useEventKeys } from './useEventKeys.ts';
import { type ListedEvents, useListedEvents } from './useListedEvents.ts';
import { useNewSound } from './useNewSound.ts';
import { useNewTally } from './useNewTally.ts';

export interface TodayEventsProps {
  readonly username: string;
}

export function TodayEvents({ username }: TodayEventsProps) {
  const zone = useUserZone();
  const names = useEventNames();
  const sound = useNewSound(names);
  const tally = useNewTally();
  useFencesAtHand();
  const shown = useDayEvents({
    zone,
    onNew: (events) => {
      sound.play(events);
      // A paused list itself shows what it holds back.
      if (!shown.state.isPaused) tally.note(events);
    },
  });
  const { dayEvents, state } = shown;
  const listed = useListedEvents(state.rows, names, username);
  const choice = useEventChoice(state.rows, listed.events);
  const acts = useEventActs({ onChanged: (events) => dayEvents.merge(events) });
  const list = useRef<HTMLDivElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const commands = useEventCommands({ events: listed.events, choice, acts, onHelp: () => setHelpOpen(true) });
  useEventKeys(list, commands.run);
  const close = () => {
    choice.close();
    list.current?.focus({ preventScroll: true });
  };
  return (
    <Box sx={DESK}>
      <ListTop shown={shown} listed={listed} names={names}>
        <EventListTools
          sound={sound}
          isPaused={state.isPaused}
          onPause={(isPaused) => (isPaused ? dayEvents.pause() : dayEvents.resume())}
          onHelp={() => setHelpOpen(true)}
        />
      </ListTop>
      <Box sx={BODY}>
        <ListPart {...{ shown, listed, names, choice, acts, list }} onSelectAll={commands.selectAll} />
        {choice.current !== undefined && choice.isOpen && (
          <EventDetailPanel
            event={choice.current}
            acts={acts}
            video={choice.video}
            onVideo={choice.showVideo}
            {...neighbours(choice, listed)}
            onClose={close}
          />
        )}
      </Box>
      <NewEventsStatus {...tally.said} />
      {acts.dialog}
      {isHelpOpen && <KeysDialog onClose={() => setHelpOpen(false)} />}
    </Box>
  );
}

function neighbours(choice: EventChoice, { events }: ListedEvents) {
  const at = events.findIndex(({ id }) => id === choice.current?.id);
  return {
    onPrevious: at > 0 ? () => void choice.move('previous', false) : undefined,
    onNext: at < events.length - 1 ? () => void choice.move('next', false) : undefined,
  };
}

interface ListPart {
  readonly shown: ShownDay;
  readonly listed: ListedEvents;
  readonly names: LoadedEventNames;
}

/** Counters, filters and the list's own switches. A phone shows the filters on request. */
function ListTop({ shown, listed, names, children }: ListPart & { readonly children: React.ReactNode }) {
  const { t } = useTranslation('TodayEvent');
  const isNarrow = useIsNarrow();
  const [showsFilters, setShowsFilters] = useState(false);
  const { filter, setFilter, clearFilter } = listed;
  return (
    <Box sx={HEAD}>
      <Box sx={ROW}>
        {/* On a phone the counters scroll, and can be reached by keyboard. */}
        <Box sx={COUNTERS} {...(isNarrow ? { tabIndex: 0, role: 'group', 'aria-label': t('Counters') } : {})}>
          <CountChips counts={listed.counts} filter={filter} onFilter={setFilter} />
        </Box>
        {isNarrow && (
          <Button
            size="small"
            variant="outlined"
            startIcon={<FilterIcon />}
            aria-expanded={showsFilters}
            onClick={() => setShowsFilters(!showsFilters)}
          >
            {t('Filters')}
          </Button>
        )}
        {children}
      </Box>
      {(!isNarrow || showsFilters) && (
        <EventFilters
          rows={shown.state.rows}
          names={names}
          filter={filter}
          onFilter={setFilter}
          onClear={clearFilter}
          isGrouped={listed.isGrouped}
          onGroup={listed.setGrouped}
        />
      )}
    </Box>
  );
}

/** The acts offered for all selected events at once. */
const OFFERED: readonly OfferedAct[] = ['acknowledge', 'assign', 'note', 'close', 'false-alarm'];

interface ListPartProps extends ListPart {
  readonly choice: EventChoice;
  readonly acts: EventActs;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onSelectAll: () => void;
}

function ListPart({ shown, listed, names, choice, acts, list, onSelectAll }: ListPartProps) {
  const { t } = useTranslation('TodayEvent');
  const { dayEvents, state } = shown;
  const { isKnown, failure, isPaused, held, isCut } = state;
  const hasRows = listed.items.length > 0;
  return (
    <Box sx={LIST}>
      {failure !== undefined && <LoadFailure failure={failure} onRetry={() => dayEvents.reload()} />}
      {choice.selected.length > 0 && (
        <SelectionBar
          label={t('Selected events')}
          count={choice.selected.length}
          onClear={choice.clearSelection}
          isInList
        >
          <ActButtons events={choice.selected} acts={acts} offered={OFFERED} />
        </SelectionBar>
      )}
      {isPaused && <HeldNotice count={held.length} onResume={() => dayEvents.resume()} />}
      {hasRows && (
        <EventList
          scroller={list}
          items={listed.items}
          events={listed.events}
          names={names}
          choice={choice}
          onSelectAll={onSelectAll}
          onCollapse={listed.collapse}
        />
      )}
      {!hasRows && isKnown && <NoEvents isFiltered={isFiltered(listed.filter)} onClear={listed.clearFilter} />}
      {!hasRows && !isKnown && failure === undefined && <Waiting />}
      {isCut && <CutNotice />}
    </Box>
  );
}

// A phone's page is as long as its content; here the list scrolls by itself at every width.
const DESK = {
  flex: 1,
  display: 'flex',
  flexDirection: 'column',
  gap: 1.5,
  minHeight: { xs: 'max(440px, calc(100dvh - 84px))', sm: 0 },
  height: { xs: 'max(440px, calc(100dvh - 84px))', sm: 'auto' },
} as const;
const HEAD = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 } as const;
const ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 } as const;
const COUNTERS = {
  display: 'flex',
  flexWrap: { xs: 'nowrap', sm: 'wrap' },
  columnGap: 2,
  rowGap: 1,
  minWidth: 0,
  maxWidth: '100%',
  overflowX: { xs: 'auto', sm: 'visible' },
  py: 0.5,
} as const;
const BODY = {
  flex: 1,
  minHeight: 0,
  display: 'flex',
  overflow: 'hidden',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  backgroundColor: 'background.paper',
} as const;
const LIST = { flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' } as const;
