import { useCallback, useEffect, useState } from 'react';
import { getRecordedRanges } from '../../../api/recordings/recordings.ts';
import type { PlayerEngine } from '../../../player/engine/engine.ts';
import { PlaybackScreen } from '../../../player/playback/PlaybackScreen.tsx';
import { PlaybackController } from '../../../player/playback/playbackController.ts';
import type { LoadRanges } from '../../../player/playback/timeline/rangeStore.ts';
import { streamUrl } from '../../../player/tile/streamUrl.ts';
import { StreamPath } from '../../../protocol/api.ts';
import { randomStreamId } from '../../../protocol/playbackPath.ts';
import { wallSeconds } from '../../../protocol/time.ts';
import type { DeviceVideo } from './useDeviceVideo.ts';

export interface EventRecordingProps {
  readonly engine: PlayerEngine;
  readonly video: DeviceVideo;
  readonly channels: readonly number[];
  readonly startMs: number;
}

/** What the server has recorded, from shortly before the event. Another event needs another `key`. */
export function EventRecording({ engine, video, channels, startMs }: EventRecordingProps) {
  const { source, info } = video;
  const session = usePlaybackSession(engine);
  const [streamId] = useState(() => randomStreamId());
  const loadRanges = useCallback<LoadRanges>((range, signal) => getRecordedRanges(source, range, signal), [source]);
  if (session === undefined) return null;
  const stream = { ...source, streamid: streamId, spbtime: wallSeconds(Math.floor(startMs / 1_000)) };
  return (
    <PlaybackScreen
      engine={engine}
      session={session}
      source={source}
      channels={channels}
      streamUrlOf={(channel) => streamUrl(StreamPath.LocalPlayback, stream, channel)}
      startMs={startMs}
      loadRanges={loadRanges}
      exportable={channels.filter((channel) => info.exportchs?.[channel - 1] === '1')}
      fillsContainer={false}
      hasControls
      keyScope="screen"
    />
  );
}

function usePlaybackSession(engine: PlayerEngine): PlaybackController | undefined {
  const [session, setSession] = useState<PlaybackController>();
  useEffect(() => {
    const made = new PlaybackController((isOn) => engine.hold(isOn));
    setSession(made);
    return () => {
      made.close();
      setSession(undefined);
    };
  }, [engine]);
  return session;
}
