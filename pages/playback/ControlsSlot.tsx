import { type ComponentType, type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { getRecordedRanges } from '../../shared/api/recordings.ts';
import type { PlaybackControlsProps } from '../../shared/player/playback/PlaybackControls.tsx';
import type { PlaybackSession } from '../../shared/player/playback/playbackSession.ts';
import { RangeStore } from '../../shared/player/playback/rangeStore.ts';
import { usePlaybackState } from '../../shared/player/playback/useSession.ts';
import { ChunkLoadError, loadChunk } from '../../shared/ui/loadChunk.ts';
import type { PlaybackView } from './playbackView.ts';
import { useIdle } from './useIdle.ts';

export interface ControlsSlotProps {
  readonly view: PlaybackView & { readonly kind: 'ready' };
  readonly session: PlaybackSession;
  /** The page is one picture in a frame: the controls stand on it, and only while somebody is there. */
  readonly isOverPicture: boolean;
}

type Loaded =
  | { readonly kind: 'controls'; readonly Controls: ComponentType<PlaybackControlsProps>; readonly ranges: RangeStore }
  | { readonly kind: 'failed'; readonly chunk: string };

const load = () => import('../../shared/player/playback/PlaybackControls.tsx');

/** The controls come when the server has shown that the session can be steered: no picture waits for them. */
export function ControlsSlot({ view, session, isOverPicture }: ControlsSlotProps): ReactElement | null {
  const { t } = useTranslation('Playback');
  const { isControlled, isPaused } = usePlaybackState(session);
  const isWanted = isControlled && pageFlags().controls;
  const [loaded, setLoaded] = useState<Loaded>();
  const isIdle = useIdle();
  const { source } = view;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const ranges = new RangeStore({
      load: (window, signal) => getRecordedRanges(source, window, signal),
      now: Date.now,
    });
    loadChunk(load, 'PlaybackControls').then(
      ({ PlaybackControls }) => isCurrent && setLoaded({ kind: 'controls', Controls: PlaybackControls, ranges }),
      (error: unknown) => {
        console.warn(error);
        const chunk = error instanceof ChunkLoadError ? error.chunk : '';
        if (isCurrent) setLoaded({ kind: 'failed', chunk });
      },
    );
    return () => {
      isCurrent = false;
      ranges.close();
      setLoaded(undefined);
    };
  }, [isWanted, source]);
  switch (loaded?.kind) {
    case undefined:
      return null;
    case 'failed':
      return (
        <p className="playback-failure" role="alert">
          {t('The controls did not load ({{chunk}}).', { chunk: loaded.chunk })}
        </p>
      );
    case 'controls': {
      const { Controls, ranges } = loaded;
      const isHidden = isOverPicture && isIdle && !isPaused;
      return (
        <div className={isOverPicture ? 'playback-over' : undefined} data-idle={isHidden}>
          <Controls
            session={session}
            ranges={ranges}
            channels={view.channels}
            startMs={view.start * 1_000}
            source={source}
            exportable={view.exportable}
          />
        </div>
      );
    }
  }
}
