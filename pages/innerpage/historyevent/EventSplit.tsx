// A view of events, and beside it the event that is open.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readEvent } from '../../../shared/api/events.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { EventDetailPanel } from '../../../shared/ui/events/EventDetailPanel.tsx';
import { laterEvent } from '../../../shared/ui/events/laterEvent.ts';
import type { EventActs } from '../../../shared/ui/events/useEventActs.tsx';
import type { VideoMode } from '../../../shared/ui/events/video/eventChannels.ts';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';

/** What the views share. */
export interface ViewContext {
  /** The event that is open; undefined for none. */
  readonly eventId: number | undefined;
  readonly open: (eventId: number | undefined) => void;
  readonly acts: EventActs;
  /** Events as the last act left them. */
  readonly changed: readonly EventRow[];
  /** Another number reloads everything. */
  readonly reloads: number;
}

export interface EventSplitProps {
  readonly context: ViewContext;
  /** The events of the view, in its order. */
  readonly rows: readonly EventRow[];
  readonly children: ReactNode;
}

export function EventSplit({ context, rows, children }: EventSplitProps) {
  const { eventId } = context;
  const view = useRef<HTMLDivElement>(null);
  const close = () => {
    context.open(undefined);
    view.current?.focus({ preventScroll: true });
  };
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    // Open menus and dialogs are elsewhere in the document, and close first.
    const isHere = target instanceof Node && currentTarget.contains(target);
    if (key === 'Escape' && isHere && eventId !== undefined) close();
  };
  const known = latestOf(eventId, [...context.changed, ...rows]);
  return (
    <Box onKeyDown={onKeyDown} sx={SPLIT}>
      <Box ref={view} tabIndex={-1} sx={VIEW}>
        {children}
      </Box>
      {known !== undefined && <Panel event={known} context={context} rows={rows} onClose={close} />}
      {known === undefined && eventId !== undefined && (
        <LoadedPanel key={eventId} eventId={eventId} context={context} rows={rows} onClose={close} />
      )}
    </Box>
  );
}

function latestOf(eventId: number | undefined, events: readonly EventRow[]): EventRow | undefined {
  return events.filter(({ id }) => id === eventId).reduce<EventRow | undefined>(laterEvent, undefined);
}

interface PanelProps extends Pick<EventSplitProps, 'context' | 'rows'> {
  readonly onClose: () => void;
}

function Panel({ event, context, rows, onClose }: PanelProps & { readonly event: EventRow }) {
  const [video, setVideo] = useState<{ readonly eventId: number; readonly mode: VideoMode | undefined }>();
  const at = rows.findIndex(({ id }) => id === event.id);
  const [before, after] = at < 0 ? [] : [rows[at - 1], rows[at + 1]];
  return (
    <EventDetailPanel
      event={event}
      acts={context.acts}
      // The video of another event isn't played until it is requested.
      video={video?.eventId === event.id ? video.mode : undefined}
      onVideo={(mode) => setVideo({ eventId: event.id, mode })}
      onPrevious={before && (() => context.open(before.id))}
      onNext={after && (() => context.open(after.id))}
      onClose={onClose}
    />
  );
}

/** The panel of an event that isn't in the view: one from a link, or from another page of the list. */
function LoadedPanel({ eventId, onClose, ...rest }: PanelProps & { readonly eventId: number }) {
  const { t } = useTranslation('Events');
  const { value, failure } = useRecord({
    key: ['opened-event', eventId, rest.context.reloads],
    load: (signal) => readEvent(eventId, signal),
  });
  if (value !== undefined) return <Panel event={value.event} onClose={onClose} {...rest} />;
  if (failure === undefined) return null;
  const isGone = failure.kind === 'http' && failure.status === 404;
  return (
    <Box sx={{ width: 320, maxWidth: '100%', p: 1.5 }}>
      <Alert severity="warning" onClose={onClose}>
        {isGone ? t("Event not found, or you don't have access to it.") : errorText(failure)}
      </Alert>
    </Box>
  );
}

const SPLIT = {
  flex: 1,
  minHeight: 0,
  display: 'flex',
  overflow: { xs: 'visible', sm: 'hidden' },
} as const;
const VIEW = { flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' } as const;
