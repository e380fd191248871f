import './playbackControls.css';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceQuery } from '../../api/devices/device.ts';
import { toggleFullscreen } from '../page/fullscreen.ts';
import { ControlButton } from './ControlButton.tsx';
import { DayButton } from './DayButton.tsx';
import { ExportDialog } from './export/ExportDialog.tsx';
import { PositionField } from './PositionField.tsx';
import { type PlaybackController, SPEEDS } from './playbackController.ts';
import type { RangeStore } from './timeline/rangeStore.ts';
import { Timeline } from './timeline/Timeline.tsx';
import { TimelineLegend } from './timeline/TimelineLegend.tsx';
import { SHORTEST_MS, spanOf } from './timeline/timelineView.ts';
import { useTimelineView, type ViewControl } from './timeline/useTimelineView.ts';
import { usePlaybackKeys } from './usePlaybackKeys.ts';
import { usePlaybackState } from './useSession.ts';

export interface PlaybackControlsProps {
  readonly session: PlaybackController;
  readonly ranges: RangeStore;
  /** The channels that are shown. */
  readonly channels: readonly number[];
  /** Where the page begins: what the timeline shows at first. */
  readonly startMs: number;
  readonly source: DeviceQuery;
  /** Channels that the link may export; without any there is no export. */
  readonly exportable: readonly number[];
  /** What full screen shows: the pictures, and the controls with them. */
  readonly screen: HTMLElement;
  /** Whose key presses steer the session: those of the whole page, or those within the screen. */
  readonly keyScope: 'page' | 'screen';
}

/** The timeline and one row of buttons: all that a viewer may ask of the session. */
export function PlaybackControls({
  session,
  ranges,
  channels,
  startMs,
  source,
  exportable,
  screen,
  keyScope,
}: PlaybackControlsProps): ReactElement {
  const { t } = useTranslation('Playback');
  const { bounds } = session;
  const control = useTimelineView(session, startMs);
  const known = useSyncExternalStore(ranges.subscribe, () => ranges.channels);
  const [isExporting, setExporting] = useState(false);
  const { view } = control;
  const lanes = lanesOf(channels, known);
  const isWide = bounds === undefined || spanOf(bounds) > SHORTEST_MS;
  // If there is only one recording, there is no other to go to.
  const isDivided = bounds === undefined || known.some((channel) => channel.ranges.length > 1);
  useEffect(() => {
    ranges.show(view);
    const timer = setInterval(() => ranges.show(view), REFRESH_MS);
    return () => clearInterval(timer);
  }, [ranges, view]);
  const { isRefused } = usePlaybackState(session);
  const keysFrom = keyScope === 'page' ? document.documentElement : screen;
  usePlaybackKeys(session, ranges, isRefused ? undefined : keysFrom);
  return (
    <section className="playback-controls" aria-label={t('Playback')}>
      {/* The dialog is outside: what was begun is followed to its end. */}
      <div className="playback-bar" inert={isRefused}>
        <Timeline session={session} control={control} channels={lanes} />
        <div className="playback-row">
          <Transport session={session} ranges={ranges} isDivided={isDivided} />
          <TimelineLegend view={view} channels={lanes} />
          {bounds === undefined && <DayButton session={session} />}
          <PositionField session={session} />
          <span className="playback-buttons">
            {isWide && <ViewButtons control={control} isDay={bounds === undefined} />}
            {exportable.length > 0 && (
              <ControlButton icon="export" label={t('Export')} onPress={() => setExporting(true)} />
            )}
            <ControlButton icon="fullscreen" label={t('Full screen')} onPress={() => void toggleFullscreen(screen)} />
          </span>
        </div>
      </div>
      {isExporting && (
        <ExportDialog
          source={source}
          session={session}
          ranges={ranges}
          channels={exportable}
          onClose={() => setExporting(false)}
        />
      )}
    </section>
  );
}

const REFRESH_MS = 5_000;

function ViewButtons({ control, isDay }: { readonly control: ViewControl; readonly isDay: boolean }): ReactElement {
  const { t } = useTranslation('Playback');
  return (
    <>
      <ControlButton icon="zoomOut" label={t('Zoom timeline out')} onPress={() => control.zoom(0.5)} />
      <ControlButton icon="zoomIn" label={t('Zoom timeline in')} onPress={() => control.zoom(2)} />
      <ControlButton
        icon="whole"
        label={isDay ? t('Show whole day') : t('Show full range')}
        onPress={control.showDay}
      />
    </>
  );
}

interface TransportProps extends Pick<PlaybackControlsProps, 'session' | 'ranges'> {
  /** There may be more than one recording. */
  readonly isDivided: boolean;
}

function Transport({ session, ranges, isDivided }: TransportProps): ReactElement {
  const { t } = useTranslation('Playback');
  usePlaybackState(session);
  const { isStill } = session;
  const jump = async (find: (positionMs: number) => Promise<number | undefined>) => {
    const positionMs = session.positionMs();
    const target = positionMs === undefined ? undefined : await find(positionMs);
    if (target !== undefined) session.seek(target);
  };
  return (
    <span className="playback-buttons">
      {isDivided && (
        <ControlButton
          icon="previous"
          label={t('Previous recording')}
          onPress={() => void jump((positionMs) => ranges.previous(positionMs))}
        />
      )}
      {session.canStep && (
        <ControlButton icon="stepBack" label={t('Previous frame')} shortcut="," onPress={() => session.step(-1)} />
      )}
      <ControlButton
        icon={isStill ? 'play' : 'pause'}
        label={isStill ? t('Play') : t('Pause')}
        shortcut={isStill ? 'L' : 'K'}
        onPress={() => session.toggle()}
      />
      {session.canStep && (
        <ControlButton icon="stepForward" label={t('Next frame')} shortcut="." onPress={() => session.step(1)} />
      )}
      {isDivided && (
        <ControlButton
          icon="next"
          label={t('Next recording')}
          onPress={() => void jump((positionMs) => ranges.next(positionMs))}
        />
      )}
      <SpeedSelect session={session} />
    </span>
  );
}

function SpeedSelect({ session }: { readonly session: PlaybackController }): ReactElement {
  const { t } = useTranslation('Playback');
  const { speed } = usePlaybackState(session);
  return (
    <select
      className="playback-speed"
      aria-label={t('Speed')}
      title={t('Speed')}
      value={speed}
      onChange={(event) => session.setSpeed(Number(event.currentTarget.value))}
    >
      {SPEEDS.map((value) => (
        <option key={value} value={value}>{`${value}×`}</option>
      ))}
    </select>
  );
}

function lanesOf(channels: readonly number[], known: RangeStore['channels']): RangeStore['channels'] {
  return channels.map((channel) => known.find((recorded) => recorded.channel === channel) ?? { channel, ranges: [] });
}
