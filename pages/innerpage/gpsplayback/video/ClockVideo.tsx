import { useCallback, useEffect, useMemo, useState } from 'react';
import { getRecordedRanges } from '../../../../shared/api/recordings/recordings.ts';
import type { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { ExportDialog } from '../../../../shared/player/playback/export/ExportDialog.tsx';
import '../../../../shared/player/playback/playbackControls.css';
import { PlaybackScreen } from '../../../../shared/player/playback/PlaybackScreen.tsx';
import type { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import { type LoadRanges, RangeStore } from '../../../../shared/player/playback/timeline/rangeStore.ts';
import { streamUrl } from '../../../../shared/player/tile/streamUrl.ts';
import { StreamPath } from '../../../../shared/protocol/api.ts';
import { randomStreamId } from '../../../../shared/protocol/playbackPath.ts';
import { wallSeconds } from '../../../../shared/protocol/time.ts';
import type { DeviceVideo } from '../../../../shared/ui/events/video/useDeviceVideo.ts';
import { usePlayerEngine } from '../../../../shared/ui/events/video/usePlayerEngine.ts';
import { useAtClock, useClock } from '../clock/useClock.ts';
import { useClockSession } from './useClockSession.ts';
import { useDeviceRecordings } from './useDeviceRecordings.ts';
import { VideoNotice } from './VideoNotice.tsx';
import type { VideoPanelProps } from './videoPanelProps.ts';
import { recordedRanges, videoStateAt } from './videoState.ts';

export interface ClockVideoProps extends VideoPanelProps {
  readonly video: DeviceVideo;
  readonly channels: readonly number[];
}

/** The pictures of the server's recordings, and what to say where there are none. */
export function ClockVideo({ video, channels, recordings, isOnline, ...rest }: ClockVideoProps) {
  const engine = usePlayerEngine();
  const recorded = useMemo(() => recordedRanges(recordings, channels), [recordings, channels]);
  const session = useClockSession(engine, recorded);
  const device = useDeviceRecordings(video, channels);
  const { onDevice } = device;
  const state = useAtClock(useCallback((atMs: number) => videoStateAt(recorded, onDevice, atMs), [recorded, onDevice]));
  // Nothing is streamed before there is something to see; then the session stays, wherever the clock goes.
  const [isWanted, setWanted] = useState(false);
  if (state === 'recorded' && !isWanted) setWanted(true);
  return (
    <>
      {isWanted && engine !== undefined && session !== undefined && (
        <Pictures engine={engine} session={session} video={video} channels={channels} />
      )}
      {state !== 'recorded' && (
        <VideoNotice
          state={state}
          device={device}
          deviceId={rest.deviceId}
          isOnline={isOnline}
          channel={channels[0] ?? 1}
        />
      )}
      {rest.isExporting && session !== undefined && <Mp4Export session={session} video={video} {...rest} />}
    </>
  );
}

interface PicturesProps {
  readonly engine: PlayerEngine;
  readonly session: PlaybackController;
  readonly video: DeviceVideo;
  readonly channels: readonly number[];
}

function Pictures({ engine, session, video, channels }: PicturesProps) {
  const { source } = video;
  const clock = useClock();
  const [stream] = useState(() => ({ id: randomStreamId(), startMs: clock.state.positionMs }));
  const loadRanges = useLoadRanges(video);
  const address = { ...source, streamid: stream.id, spbtime: wallSeconds(Math.floor(stream.startMs / 1_000)) };
  return (
    <PlaybackScreen
      engine={engine}
      session={session}
      source={source}
      channels={channels}
      streamUrlOf={(channel) => streamUrl(StreamPath.LocalPlayback, address, channel)}
      startMs={stream.startMs}
      loadRanges={loadRanges}
      exportable={NONE}
      fillsContainer={false}
      // The page's own controls steer it.
      hasControls={false}
      keyScope="screen"
    />
  );
}

const NONE: readonly number[] = [];

function useLoadRanges({ source }: DeviceVideo): LoadRanges {
  return useCallback((range, signal) => getRecordedRanges(source, range, signal), [source]);
}

interface Mp4ExportProps extends Pick<VideoPanelProps, 'stretch' | 'onExported'> {
  readonly session: PlaybackController;
  readonly video: DeviceVideo;
}

function Mp4Export({ session, video, stretch, onExported }: Mp4ExportProps) {
  const loadRanges = useLoadRanges(video);
  const [ranges, setRanges] = useState<RangeStore>();
  useEffect(() => {
    const made = new RangeStore({ load: loadRanges, now: Date.now });
    setRanges(made);
    return () => {
      made.close();
      setRanges(undefined);
    };
  }, [loadRanges]);
  const exportable = useMemo(() => exportableOf(video.info.exportchs), [video]);
  if (ranges === undefined) return null;
  return (
    <ExportDialog
      source={video.source}
      session={session}
      ranges={ranges}
      channels={exportable}
      range={stretch}
      onClose={onExported}
    />
  );
}

function exportableOf(bits: string | undefined): readonly number[] {
  return [...(bits ?? '')].flatMap((bit, at) => (bit === '1' ? [at + 1] : []));
}
