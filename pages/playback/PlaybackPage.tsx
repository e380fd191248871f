import '../../shared/player/playback/playbackPage.css';
import { type ReactElement, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import { getRecordedRanges } from '../../shared/api/recordings/recordings.ts';
import type { PlayerEngine } from '../../shared/player/engine/engine.ts';
import type { PlayerSupport } from '../../shared/player/engine/support.ts';
import { tellStreamClosed } from '../../shared/player/page/framing.ts';
import type { FramingInbox } from '../../shared/player/page/framingInbox.ts';
import { isFramed, layoutOf } from '../../shared/player/page/layout.ts';
import { UnsupportedNotice } from '../../shared/player/page/UnsupportedNotice.tsx';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { VideoGrid } from '../../shared/player/page/VideoGrid.tsx';
import { ControlsSlot } from '../../shared/player/playback/ControlsSlot.tsx';
import type { PlaybackController } from '../../shared/player/playback/playbackController.ts';
import type { LoadRanges } from '../../shared/player/playback/timeline/rangeStore.ts';
import { useEnlarged } from '../../shared/player/tile/useEnlarged.ts';
import { useLoaded } from '../../shared/player/tile/useLoaded.ts';
import { VideoTile } from '../../shared/player/tile/VideoTile.tsx';
import { StreamPath } from '../../shared/protocol/api.ts';
import { PlaybackAlert, PlaybackLoading } from './PlaybackNotices.tsx';
import type { PlaybackView } from './playbackView.ts';

export interface PlaybackPageProps {
  readonly loading: Promise<PlaybackView>;
  readonly player: PlaybackPlayer;
}

/** The page's player and session, or why it has none. */
export type PlaybackPlayer =
  | {
      readonly support: 'ok';
      readonly engine: PlayerEngine;
      readonly session: PlaybackController;
      /** What a framing page asks. */
      readonly inbox?: FramingInbox;
    }
  | { readonly support: Exclude<PlayerSupport, 'ok'> };

export function PlaybackPage({ loading, player }: PlaybackPageProps): ReactElement {
  const { t } = useTranslation('Playback');
  const view = useLoaded<PlaybackView>(loading, { kind: 'loading' });
  return (
    <main className="playback-page">
      <h1 className="visually-hidden">{view.kind === 'ready' ? view.source.deviceid : t('Playback')}</h1>
      {contentOf(view, player)}
    </main>
  );
}

function contentOf(view: PlaybackView, player: PlaybackPlayer): ReactElement | null {
  switch (view.kind) {
    case 'loading':
      return <PlaybackLoading />;
    case 'error':
      return <PlaybackAlert error={view.error} />;
    case 'nothing':
      return null;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return <PlaybackTiles view={view} player={player} />;
  }
}

interface PlaybackTilesProps {
  readonly view: PlaybackView & { readonly kind: 'ready' };
  readonly player: PlaybackPlayer & { readonly support: 'ok' };
}

function PlaybackTiles({ view, player }: PlaybackTilesProps): ReactElement {
  const { engine, session } = player;
  const { source, channels, streamId, start } = view;
  const { deviceid } = source;
  const tellClosed = useCallback((channel: number) => tellStreamClosed(deviceid, channel), [deviceid]);
  const framing = useFraming(player.inbox);
  const enlarged = useEnlarged(channels);
  const shown = enlarged.channel === undefined ? channels.length : 1;
  const layout = layoutOf({ channels: shown, preferred: view.layout, isFramed: isFramed() });
  const loadRanges = useCallback<LoadRanges>((range, signal) => getRecordedRanges(source, range, signal), [source]);
  const tools = useMemo(() => (pageFlags().controls ? { deviceid } : undefined), [deviceid]);
  return (
    <>
      <div className="playback-stage">
        <VideoGrid layout={layout}>
          {channels.map((channel) => (
            <VideoTile
              key={channel}
              engine={engine}
              session={session}
              channel={channel}
              onClosed={tellClosed}
              onPlayer={framing}
              tools={tools}
              enlarge={enlarged.controlOf(channel)}
              isCovered={enlarged.channel !== undefined && enlarged.channel !== channel}
              url={buildWebSocketUrl(StreamPath.LocalPlayback, {
                ...source,
                channel,
                // Sound belongs to the device's first channel, wherever its tile stands.
                audio: channel === 1 ? 1 : 0,
                streamid: streamId,
                spbtime: start,
              })}
            />
          ))}
        </VideoGrid>
      </div>
      <ControlsSlot
        session={session}
        channels={channels}
        source={source}
        loadRanges={loadRanges}
        startMs={start * 1_000}
        exportable={view.exportable}
        isOverPicture={layout.kind === 'fill'}
      />
    </>
  );
}
