import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useRef } from 'react';
import { readEventTrack } from '../../../api/eventTrack.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import { EVENT_TRACK_SPAN_MS } from '../../../protocol/api/eventTrack.ts';
import { MapNotice } from '../../map/MapNotice.tsx';
import type { TrackContent } from '../../map/trackLayer.ts';
import { useTrackMap } from '../../map/useTrackMap.ts';
import { useRecord } from '../../records/useRecord.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES } from '../severityColors.ts';

export interface EventMapProps {
  readonly event: EventRow;
}

const TRACK_PAUSE_MS = 20_000;

/** Where it happened, and the way there and on. The map stays while one event follows another. */
export function EventMap({ event }: EventMapProps) {
  const host = useRef<HTMLDivElement>(null);
  const { value: track } = useRecord({
    key: ['event-track', event.id],
    load: (signal) => readEventTrack(event.id, signal),
    // The way on from there is driven while it is looked at.
    everyMs: Date.now() < event.beginAtMs + EVENT_TRACK_SPAN_MS + TRACK_PAUSE_MS ? TRACK_PAUSE_MS : undefined,
  });
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const colours = isDark ? DARK_SEVERITIES : LIGHT_SEVERITIES;
  const { lat, lng } = event;
  const colour = colours[event.severity].accent;
  const content = useMemo<TrackContent>(() => {
    const place = lat === null || lng === null ? undefined : { lat, lng };
    return { track: track ?? [], place, colour };
  }, [track, lat, lng, colour]);
  const state = useTrackMap(host, content);
  // Beside the facts there is no room to say that streets could be set up.
  const isPlain = state.kind === 'ready' && state.background === 'built-in';
  return (
    <Box sx={BOX}>
      {/* The map names itself. Its own styles make it relative: the place is its parent's to say. */}
      <Box ref={host} data-map={state.kind} data-points={track?.length} sx={{ width: '100%', height: '100%' }} />
      {!isPlain && <MapNotice state={state} />}
    </Box>
  );
}

const BOX = {
  position: 'relative',
  height: 220,
  flexShrink: 0,
  overflow: 'hidden',
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
} as const;
