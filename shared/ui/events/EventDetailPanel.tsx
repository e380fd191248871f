import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { readEvent } from '../../api/events.ts';
import type { EventRow } from '../../protocol/api/events.ts';
import { useRecord } from '../records/useRecord.ts';
import { useSettled } from '../records/useSettled.ts';
import { BREAKPOINTS } from '../theme.ts';
import { ActButtons } from './detail/ActButtons.tsx';
import { EventFacts } from './detail/EventFacts.tsx';
import { EventMap } from './detail/EventMap.tsx';
import { EventSteps } from './detail/EventSteps.tsx';
import { LoadFailure } from './detail/LoadFailure.tsx';
import { PanelHead } from './detail/PanelHead.tsx';
import { useLiveEvent } from './detail/useLiveEvent.ts';
import { useReloadOnChange } from './detail/useReloadOnChange.ts';
import { VideoSection } from './detail/VideoSection.tsx';
import { laterEvent } from './laterEvent.ts';
import { MediaSection } from './media/MediaSection.tsx';
import type { EventActs } from './useEventActs.tsx';
import type { VideoMode } from './video/eventChannels.ts';

export interface EventDetailPanelProps {
  /** The event as the page knows it; further details are loaded and kept up to date. Another event needs no other `key`. */
  readonly event: EventRow;
  readonly acts: EventActs;
  /** What is played; undefined for nothing. */
  readonly video: VideoMode | undefined;
  readonly onVideo: (mode: VideoMode | undefined) => void;
  /** Undefined where there is no such event. If both are missing, there are no buttons for them. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Further facts that the page knows of the event. */
  readonly children?: ReactNode;
}

/** Wait before loading details, so that stepping through events with the keys loads only the one stopped at. */
const SETTLE_MS = 200;
/** From here on the panel stands beside the list; below, it takes the window. */
const PANEL_BESIDE_QUERY = `(min-width: ${BREAKPOINTS.lg}px)`;

/** One event: its state, what can be done about it, its pictures, its place and its history. */
export function EventDetailPanel(props: EventDetailPanelProps) {
  const isBeside = useMediaQuery(PANEL_BESIDE_QUERY, { noSsr: true });
  const titleId = useId();
  const content = <PanelContent {...props} titleId={titleId} />;
  if (isBeside) {
    return (
      <Box component="section" aria-labelledby={titleId} data-event={props.event.id} sx={BESIDE}>
        {content}
      </Box>
    );
  }
  return (
    <Dialog open fullScreen onClose={props.onClose} aria-labelledby={titleId} data-event-sheet="">
      <DialogContent data-event={props.event.id} sx={SHEET}>
        {content}
      </DialogContent>
    </Dialog>
  );
}

function PanelContent(props: EventDetailPanelProps & { readonly titleId: string }) {
  const { event: known, acts, video, onVideo, children, ...head } = props;
  const { t } = useTranslation('Events');
  const told = useLiveEvent(known);
  const settled = useSettled(told.event, SETTLE_MS);
  const loaded = useRecord({
    key: ['event', settled.id],
    load: (signal) => readEvent(settled.id, signal),
    keepsOther: true,
  });
  const live = { event: settled, reloads: told.reloads };
  useReloadOnChange(live, loaded.reload);
  const detail = loaded.value?.event.id === known.id ? loaded.value : undefined;
  const event = laterEvent(detail?.event, told.event);
  const hasPlace = settled.lat !== null || settled.deviceid !== '';
  return (
    <>
      <PanelHead event={event} {...head} />
      <ActButtons events={[event]} acts={acts} />
      {event.deviceid !== '' && <VideoSection event={event} mode={video} onMode={onVideo} />}
      <EventFacts event={event} detail={detail} />
      {hasPlace && <EventMap event={settled} />}
      {settled.deviceid !== '' && <MediaSection {...live} />}
      {children}
      <Box component="section" aria-label={t('History')} sx={{ display: 'grid', gap: 0.75 }}>
        <Typography component="h3" sx={{ fontSize: 14, fontWeight: 650 }}>
          {t('History')}
        </Typography>
        <LoadFailure failure={loaded.failure} onRetry={loaded.reload} />
        {detail !== undefined && <EventSteps steps={detail.steps} />}
      </Box>
    </>
  );
}

const CONTENT = { display: 'flex', flexDirection: 'column', gap: 1.5 } as const;
const BESIDE = {
  ...CONTENT,
  width: 440,
  flexShrink: 0,
  minHeight: 0,
  overflowY: 'auto',
  p: 1.5,
  borderLeft: 1,
  borderColor: 'divider',
  // Not quite opaque: Chromium takes the map's canvas for hidden beneath a scrolling opaque panel, and leaves all of it out.
  backgroundColor: 'color-mix(in srgb, var(--mui-palette-background-paper) 99.7%, transparent)',
} as const;
// A dialog that fills a frame lies beneath the shell's floating button.
const SHEET = {
  ...CONTENT,
  p: 1.5,
  '[data-shell-button] &': { pt: 7 },
} as const;
