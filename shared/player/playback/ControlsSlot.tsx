import { type ComponentType, type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkLoadError, loadChunk } from '../../ui/loadChunk.ts';
import type { PlaybackControlsProps } from './PlaybackControls.tsx';
import { type LoadRanges, RangeStore } from './timeline/rangeStore.ts';
import { useIdle } from './useIdle.ts';
import { usePlaybackState } from './useSession.ts';

export interface ControlsSlotProps extends Omit<PlaybackControlsProps, 'ranges'> {
  /** Must be the same function from one rendering to the next. */
  readonly loadRanges: LoadRanges;
  /** The screen is one picture: the controls stand on it, and only while somebody is there. */
  readonly isOverPicture: boolean;
}

type Loaded =
  | { readonly kind: 'controls'; readonly Controls: ComponentType<PlaybackControlsProps>; readonly ranges: RangeStore }
  | { readonly kind: 'failed'; readonly chunk: string };

const load = () => import('./PlaybackControls.tsx');

/** The controls come when the server has shown that the session can be steered: no picture waits for them. */
export function ControlsSlot({ loadRanges, isOverPicture, ...controls }: ControlsSlotProps): ReactElement | null {
  const { session } = controls;
  const { t } = useTranslation('Playback');
  const { isControlled, isPaused } = usePlaybackState(session);
  const [loaded, setLoaded] = useState<Loaded>();
  const isIdle = useIdle();
  useEffect(() => {
    if (!isControlled) return;
    let isCurrent = true;
    const ranges = new RangeStore({ load: loadRanges, now: Date.now });
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
  }, [isControlled, loadRanges]);
  switch (loaded?.kind) {
    case undefined:
      return null;
    case 'failed':
      return (
        <p className="playback-failure" role="alert">
          {t("The playback controls didn't load ({{chunk}}). Reload the page.", { chunk: loaded.chunk })}
        </p>
      );
    case 'controls': {
      const { Controls, ranges } = loaded;
      const isHidden = isOverPicture && isIdle && !isPaused;
      return (
        <div className={isOverPicture ? 'playback-over' : undefined} data-idle={isHidden}>
          <Controls {...controls} ranges={ranges} />
        </div>
      );
    }
  }
}
