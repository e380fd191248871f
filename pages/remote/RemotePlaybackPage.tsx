import '../../shared/player/playback/playbackPage.css';
import './remotePage.css';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import { getDeviceRecordings, playRemote, type RemotePlayRequest } from '../../shared/api/recordings/remotePlayback.ts';
import type { PlayerEngine } from '../../shared/player/engine/engine.ts';
import type { PlayerSupport } from '../../shared/player/engine/support.ts';
import { tellStreamClosed } from '../../shared/player/page/framing.ts';
import type { FramingInbox } from '../../shared/player/page/framingInbox.ts';
import { isFramed, layoutOf } from '../../shared/player/page/layout.ts';
import { UnsupportedNotice } from '../../shared/player/page/UnsupportedNotice.tsx';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { VideoGrid } from '../../shared/player/page/VideoGrid.tsx';
import { ControlsSlot } from '../../shared/player/playback/ControlsSlot.tsx';
import type { TimeRange } from '../../shared/player/playback/timeline/ranges.ts';
import type { TilePlayer } from '../../shared/player/tile/tilePlayer.ts';
import { useLoaded } from '../../shared/player/tile/useLoaded.ts';
import { VideoTile } from '../../shared/player/tile/VideoTile.tsx';
import { StreamPath } from '../../shared/protocol/api.ts';
import { deviceRanges } from './deviceRanges.ts';
import { RemoteAlert, RemoteLoading, RemoteProgress } from './RemoteNotices.tsx';
import { RemotePlay } from './remotePlay.ts';
import type { RemoteView } from './remoteView.ts';

export interface RemotePlaybackPageProps {
  readonly loading: Promise<RemoteView>;
  readonly player: RemotePlayer;
  /** What a framing page asks. */
  readonly inbox?: FramingInbox | undefined;
}

/** The page's player, or why it has none. */
export type RemotePlayer =
  | { readonly support: 'ok'; readonly engine: PlayerEngine }
  | { readonly support: Exclude<PlayerSupport, 'ok'> };

export function RemotePlaybackPage({ loading, player, inbox }: RemotePlaybackPageProps): ReactElement {
  const { t } = useTranslation('Player');
  const view = useLoaded<RemoteView>(loading, { kind: 'loading' });
  return (
    <main className="playback-page">
      <h1 className="visually-hidden">{view.kind === 'ready' ? view.source.deviceid : t('Playback')}</h1>
      {contentOf(view, player, inbox)}
    </main>
  );
}

function contentOf(view: RemoteView, player: RemotePlayer, inbox: FramingInbox | undefined): ReactElement | null {
  switch (view.kind) {
    case 'loading':
      return <RemoteLoading />;
    case 'error':
      return <RemoteAlert error={view.error} />;
    case 'nothing':
      return null;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return <RemoteTile view={view} engine={player.engine} inbox={inbox} />;
  }
}

interface RemoteTileProps {
  readonly view: RemoteView & { readonly kind: 'ready' };
  readonly engine: PlayerEngine;
  readonly inbox: FramingInbox | undefined;
}

function RemoteTile({ view, engine, inbox }: RemoteTileProps): ReactElement {
  const { source, channel, play } = view;
  const { deviceid } = source;
  const tellClosed = useCallback((closed: number) => tellStreamClosed(deviceid, closed), [deviceid]);
  const [remote] = useState(() => {
    const ask = (again: RemotePlayRequest) => playRemote(source, again);
    return new RemotePlay(play, { ask, hold: (isOn) => engine.hold(isOn) });
  });
  const [loadRanges] = useState(() => {
    const ask = (range: TimeRange) => getDeviceRecordings({ ...source, channel }, range);
    return deviceRanges({ channel, bounds: remote.bounds, ask });
  });
  const framing = useFraming(inbox);
  const notePlayer = useCallback(
    (closed: number, player: TilePlayer | undefined) => {
      framing(closed, player);
      remote.setTile(closed, player);
    },
    [framing, remote],
  );
  const layout = layoutOf({ channels: 1, preferred: undefined, isFramed: isFramed() });
  const tools = useMemo(() => (pageFlags().controls ? { deviceid } : undefined), [deviceid]);
  return (
    <>
      <div className="playback-stage">
        <VideoGrid layout={layout}>
          <VideoTile
            engine={engine}
            session={remote.session}
            channel={channel}
            onClosed={tellClosed}
            onPlayer={notePlayer}
            tools={tools}
            // Sound belongs to the device's first channel.
            url={buildWebSocketUrl(StreamPath.RemotePlayback, {
              ...source,
              channel,
              audio: channel === 1 ? 1 : 0,
              streamid: play.streamid,
            })}
          />
        </VideoGrid>
        <RemoteProgress remote={remote} />
      </div>
      <ControlsSlot
        source={source}
        loadRanges={loadRanges}
        session={remote.session}
        channels={[channel]}
        startMs={remote.bounds.fromMs}
        exportable={[]}
        isOverPicture={layout.kind === 'fill'}
      />
    </>
  );
}
