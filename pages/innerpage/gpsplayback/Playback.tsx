import Box from '@mui/material/Box';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import type { TrackSummary } from '../../../shared/protocol/api/tracks/track.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import type { MapMark } from '../../../shared/ui/map/tracks/tracksLayer.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import type { TimeRange } from './clock/ranges.ts';
import { useClock } from './clock/useClock.ts';
import { ClockReadout } from './controls/ClockReadout.tsx';
import { Transport } from './controls/Transport.tsx';
import { useTrackKeys } from './controls/useTrackKeys.ts';
import { ZoomButtons } from './controls/ZoomButtons.tsx';
import { PrintSheet } from './export/PrintSheet.tsx';
import { type SideTab, SideTabs } from './lists/SideTabs.tsx';
import { useListedMoments } from './lists/useListedMoments.ts';
import type { ShownDevice } from './map/mapContent.ts';
import { PlaybackMap } from './map/PlaybackMap.tsx';
import { PlaybackTools } from './PlaybackTools.tsx';
import { TrackSlider } from './slider/TrackSlider.tsx';
import { TrackNotices } from './TrackNotices.tsx';
import { isUnknownDevice } from './tracks/loadedTrack.ts';
import { TrackLoader } from './tracks/TrackLoader.tsx';
import { usePlaybackData } from './usePlaybackData.ts';
import type { PlaybackView } from './view/playbackAddress.ts';

// The charts and the player weigh more than the rest of the page.
const ChartView = lazyPart('ChartView', async () => (await import('./chart/ChartView.tsx')).ChartView);
const VideoPanel = lazyPart('VideoPanel', async () => (await import('./video/VideoPanel.tsx')).VideoPanel);

type Summary = TrackSummary | undefined;

export interface PlaybackProps {
  /** Which devices and which period. */
  readonly tools: ReactNode;
  readonly devices: readonly ShownDevice[];
  readonly view: PlaybackView;
  readonly span: TimeRange;
  readonly isOnline: boolean;
  readonly permissions: readonly string[];
  readonly onRenew: () => void;
}

export function Playback({ tools, devices, view, span, isOnline, permissions, onRenew }: PlaybackProps) {
  const { chosenId } = view;
  const data = usePlaybackData({ devices, view, span });
  const { tracks, chosen, zoomed } = data;
  const summary = chosen?.summary;
  const lists = useListedMoments(summary);
  const [hasVideo, setHasVideo] = useState(true);
  const [isExporting, setExporting] = useState(false);
  const side = useSide(data.targets.summary);
  useTrackKeys(data.targets);
  const exportVideo = useCallback(() => {
    setHasVideo(true);
    setExporting(true);
  }, []);
  return (
    <Box sx={GRID} data-chosen={chosenId}>
      {devices.map(({ id }) => (
        <TrackLoader
          key={id}
          deviceId={id}
          span={span}
          zoomed={zoomed}
          degreesPerPixel={data.degreesPerPixel}
          onLoaded={data.onLoaded}
        />
      ))}
      <PlaybackTools
        tools={tools}
        view={view}
        range={zoomed}
        hasVideo={hasVideo}
        canExport={permissions.includes(Permission.Export)}
        onVideo={setHasVideo}
        onExportVideo={exportVideo}
        onRenew={onRenew}
      />
      <TrackNotices devices={devices} tracks={tracks} period={view} />
      {hasVideo && summary !== undefined && (
        <Part area="video">
          <VideoPanel
            key={chosenId}
            deviceId={chosenId}
            isOnline={isOnline}
            recordings={summary.recordings}
            stretch={zoomed}
            isExporting={isExporting}
            onExported={() => setExporting(false)}
          />
        </Part>
      )}
      <Box sx={{ gridArea: 'map', height: { xs: 300, lg: 'auto' }, minHeight: 0, '@media print': { height: 320 } }}>
        <PlaybackMap
          devices={devices}
          chosenId={chosenId}
          tracks={tracks}
          summary={summary}
          vehicles={data.vehicles}
          fitKey={JSON.stringify([view.deviceIds, span])}
          onMark={side.onMark}
          onZoom={data.setZoom}
        />
      </Box>
      <Player data={data} deviceId={chosenId} span={span} hasVideo={hasVideo} />
      <Lists side={side} deviceId={chosenId} span={span} lists={lists} summary={summary} />
      <PrintSheet name={devices.find(({ id }) => id === chosenId)?.name ?? chosenId} span={span} lists={lists} />
    </Box>
  );
}

interface PlayerProps {
  readonly data: ReturnType<typeof usePlaybackData>;
  readonly deviceId: string;
  readonly span: TimeRange;
  readonly hasVideo: boolean;
}

/** The clock, and what happened along the time that it runs through. */
function Player({ data, deviceId, span, hasVideo }: PlayerProps) {
  const { zoomed, zoomTime, targets } = data;
  const { summary } = targets;
  return (
    <Box sx={{ gridArea: 'player', minWidth: 0, display: 'grid', gap: 0.5 }}>
      <Box sx={CONTROLS}>
        <Transport targets={targets} />
        <ClockReadout deviceClock={summary?.clock ?? NO_CLOCK} hasVideo={hasVideo && hasRecordings(summary)} />
        <ZoomButtons span={span} view={zoomed} onZoom={zoomTime} />
      </Box>
      <TrackSlider view={zoomed} summary={summary} />
      {!isUnknownDevice(data.chosen?.failure) && (
        <Part>
          <ChartView deviceId={deviceId} view={zoomed} onZoom={zoomTime} />
        </Part>
      )}
    </Box>
  );
}

interface ListsProps {
  readonly side: ReturnType<typeof useSide>;
  readonly deviceId: string;
  readonly span: TimeRange;
  readonly lists: ReturnType<typeof useListedMoments>;
  readonly summary: Summary;
}

function Lists({ side, summary, ...rest }: ListsProps) {
  return (
    <Box sx={{ gridArea: 'side', minWidth: 0, minHeight: 0, display: 'flex', '@media print': { display: 'none' } }}>
      <SideTabs
        tab={side.tab}
        onTab={side.setTab}
        isKnown={summary !== undefined}
        isCut={summary?.isCut === true}
        eventId={side.eventId}
        onEvent={side.setEventId}
        {...rest}
      />
    </Box>
  );
}

const NO_CLOCK: [] = [];

function hasRecordings(summary: Summary): boolean {
  return summary?.recordings.some(({ ranges }) => ranges.length > 0) === true;
}

function Part({ area, children }: { readonly area?: string; readonly children: ReactNode }) {
  return (
    <Box sx={{ gridArea: area, minWidth: 0, '@media print': { display: 'none' } }}>
      <ChunkBoundary>
        <Suspense fallback={<Waiting />}>{children}</Suspense>
      </ChunkBoundary>
    </Box>
  );
}

/** Which list is shown, and what of it was chosen on the map: there it sets the clock, as in the list. */
function useSide(summary: Summary) {
  const clock = useClock();
  const [tab, setTab] = useState<SideTab>('trips');
  const [eventId, setEventId] = useState<number>();
  const onMark = ({ kind, id }: MapMark) => {
    const atMs =
      kind === 'stop'
        ? summary?.stops.find((stop) => stop.id === id)?.fromMs
        : summary?.events.find((event) => event.id === id)?.beginAtMs;
    if (atMs !== undefined) clock.seek(atMs);
    setTab(kind === 'stop' ? 'stops' : 'events');
    if (kind === 'event') setEventId(id);
  };
  return { tab, setTab, eventId, setEventId, onMark };
}

const GRID = {
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  display: 'grid',
  gap: 1,
  overflow: { xs: 'visible', sm: 'auto' },
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 490px' },
  // The lists stand beside the player too, so that they are high enough where nothing is left for their upper row.
  gridTemplateRows: { xs: 'none', lg: 'auto auto auto minmax(0, 1fr) auto' },
  gridTemplateAreas: {
    xs: '"tools" "notices" "video" "map" "player" "side"',
    lg: '"tools tools" "notices notices" "map video" "map side" "player side"',
  },
  '@media print': { display: 'block', overflow: 'visible' },
} as const;
const CONTROLS = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  columnGap: 1.5,
  rowGap: 0.5,
  '@media print': { display: 'none' },
} as const;
