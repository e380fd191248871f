import { type ReactElement, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { getRecordedRanges } from '../../shared/api/recordings/recordings.ts';
import { isFramed } from '../../shared/player/page/layout.ts';
import type { PagePlayer, RunningPlayer } from '../../shared/player/page/pagePlayer.ts';
import { pageFailureText } from '../../shared/player/page/pageView.ts';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { useServerLayout } from '../../shared/player/page/useServerLayout.ts';
import { VideoPage } from '../../shared/player/page/VideoPage.tsx';
import { PlaybackScreen } from '../../shared/player/playback/PlaybackScreen.tsx';
import { PlaybackController } from '../../shared/player/playback/playbackController.ts';
import type { LoadRanges } from '../../shared/player/playback/timeline/rangeStore.ts';
import { streamUrl } from '../../shared/player/tile/streamUrl.ts';
import type { OpenServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import { StreamPath } from '../../shared/protocol/api.ts';
import type { PlaybackTarget, PlaybackView } from './playbackView.ts';

export interface PlaybackPageProps {
  readonly loading: Promise<PlaybackView>;
  readonly player: PagePlayer;
}

export function PlaybackPage({ loading, player }: PlaybackPageProps): ReactElement {
  const { t } = useTranslation('Playback');
  return (
    <VideoPage loading={loading} player={player} name={t('Playback')} failureText={pageFailureText}>
      {(target, running) => <Playback target={target} player={running} />}
    </VideoPage>
  );
}

interface PlaybackProps {
  readonly target: PlaybackTarget;
  readonly player: RunningPlayer;
}

function Playback({ target, player }: PlaybackProps): ReactElement {
  const { engine, inbox } = player;
  const { source, channels, streamId, start, exportable, vehicle } = target;
  const layout = useServerLayout(target.layout, playbackLayoutOf);
  const [session] = useState(() => new PlaybackController((isOn) => engine.hold(isOn)));
  const framing = useFraming(inbox, source.deviceid);
  const loadRanges = useCallback<LoadRanges>((range, signal) => getRecordedRanges(source, range, signal), [source]);
  const stream = { ...source, streamid: streamId, spbtime: start };
  return (
    <div className="playback-page">
      <PlaybackScreen
        engine={engine}
        session={session}
        source={source}
        channels={channels}
        vehicle={vehicle}
        streamUrlOf={(channel) => streamUrl(StreamPath.LocalPlayback, stream, channel)}
        startMs={start * 1_000}
        loadRanges={loadRanges}
        exportable={exportable}
        preferredLayout={layout}
        fillsContainer={isFramed()}
        hasControls={pageFlags().controls}
        keyScope="page"
        onClosed={framing.onClosed}
        onPlayer={framing.onPlayer}
      />
    </div>
  );
}

function playbackLayoutOf({ simplePlayback }: OpenServerInfo): VideoLayout | null | undefined {
  return simplePlayback?.layout;
}
