import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { getDeviceRecordings, playRemote, type RemotePlayRequest } from '../../shared/api/recordings/remotePlayback.ts';
import { isFramed } from '../../shared/player/page/layout.ts';
import type { PagePlayer, RunningPlayer } from '../../shared/player/page/pagePlayer.ts';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { VideoPage } from '../../shared/player/page/VideoPage.tsx';
import { PlaybackScreen } from '../../shared/player/playback/PlaybackScreen.tsx';
import type { TimeRange } from '../../shared/player/playback/timeline/ranges.ts';
import { streamUrl } from '../../shared/player/tile/streamUrl.ts';
import type { TilePlayer } from '../../shared/player/tile/tilePlayer.ts';
import { StreamPath } from '../../shared/protocol/api.ts';
import { deviceRanges } from './deviceRanges.ts';
import { RemoteProgress, remoteFailureText } from './RemoteProgress.tsx';
import { RemotePlay } from './remotePlay.ts';
import type { RemoteTarget, RemoteView } from './remoteView.ts';

export interface RemotePlaybackPageProps {
  readonly loading: Promise<RemoteView>;
  readonly player: PagePlayer;
}

export function RemotePlaybackPage({ loading, player }: RemotePlaybackPageProps): ReactElement {
  // Common is named so that it is loaded: the text of a failure is then rendered again.
  const { t } = useTranslation(['Player', 'Common']);
  return (
    <VideoPage loading={loading} player={player} name={t('Playback')} failureText={remoteFailureText}>
      {(target, running) => <RemotePlayback target={target} player={running} />}
    </VideoPage>
  );
}

interface RemotePlaybackProps {
  readonly target: RemoteTarget;
  readonly player: RunningPlayer;
}

function RemotePlayback({ target, player }: RemotePlaybackProps): ReactElement {
  const { engine, inbox } = player;
  const { source, vehicle, channel, play } = target;
  const [remote] = useState(() => {
    const ask = (again: RemotePlayRequest) => playRemote(source, again);
    return new RemotePlay(play, { ask, hold: (isOn) => engine.hold(isOn) });
  });
  const [loadRanges] = useState(() => {
    const ask = (range: TimeRange) => getDeviceRecordings({ ...source, channel }, range);
    return deviceRanges({ channel, bounds: remote.bounds, ask });
  });
  const { onClosed, onPlayer } = useFraming(inbox, source.deviceid);
  const notePlayer = useCallback(
    (shown: number, tile: TilePlayer | undefined) => {
      onPlayer(shown, tile);
      remote.setTile(shown, tile);
    },
    [onPlayer, remote],
  );
  const channels = useMemo(() => [channel], [channel]);
  const stream = { ...source, streamid: play.streamid };
  return (
    <div className="playback-page">
      <PlaybackScreen
        engine={engine}
        session={remote.session}
        source={source}
        channels={channels}
        vehicle={vehicle}
        streamUrlOf={(shown) => streamUrl(StreamPath.RemotePlayback, stream, shown)}
        startMs={remote.bounds.fromMs}
        loadRanges={loadRanges}
        exportable={NONE}
        fillsContainer={isFramed()}
        hasControls={pageFlags().controls}
        keyScope="page"
        onClosed={onClosed}
        onPlayer={notePlayer}
      >
        <RemoteProgress remote={remote} />
      </PlaybackScreen>
    </div>
  );
}

/** What the device has stays there: nothing is exported from it. */
const NONE: readonly number[] = [];
