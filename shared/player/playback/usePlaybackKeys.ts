import { useEffect } from 'react';
import type { PlaybackController } from './playbackController.ts';
import { isForElement, type PlaybackCommand, playbackCommand } from './shortcuts.ts';
import type { RangeStore } from './timeline/rangeStore.ts';
import { dayOf } from './timeline/timelineView.ts';

/** The keys pressed within `scope`, unless it is where somebody types; none without one. */
export function usePlaybackKeys(
  session: PlaybackController,
  ranges: RangeStore,
  scope: HTMLElement | undefined,
): void {
  useEffect(() => {
    if (scope === undefined) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isForElement(event.target, event.key)) return;
      const command = playbackCommand(event);
      if (command === undefined) return;
      event.preventDefault();
      run(command, session, ranges);
    };
    scope.addEventListener('keydown', onKey);
    return () => scope.removeEventListener('keydown', onKey);
  }, [session, ranges, scope]);
}

function run(command: PlaybackCommand, session: PlaybackController, ranges: RangeStore): void {
  switch (command.type) {
    case 'toggle':
      session.toggle();
      return;
    case 'pause':
      session.pause();
      return;
    case 'forward':
      session.forward();
      return;
    case 'backward':
      session.backward();
      return;
    case 'seek':
      session.seekBy(command.deltaMs);
      return;
    case 'step':
      session.step(command.frames);
      return;
    case 'first':
    case 'last':
      seekToEdge(command.type, session, ranges);
      return;
  }
}

/** The first or the last moment that is recorded on the day that is shown. */
function seekToEdge(edge: 'first' | 'last', session: PlaybackController, ranges: RangeStore): void {
  const positionMs = session.positionMs();
  if (positionMs === undefined) return;
  const day = dayOf(positionMs);
  const known = ranges.channels.flatMap((channel) => channel.ranges);
  // A device that does not list what it has plays it nevertheless.
  const all = known.length === 0 && session.bounds !== undefined ? [session.bounds] : known;
  const ofDay = all.filter(({ fromMs, toMs }) => toMs > day.fromMs && fromMs < day.toMs);
  if (ofDay.length === 0) return;
  const firstMs = Math.max(day.fromMs, Math.min(...ofDay.map(({ fromMs }) => fromMs)));
  const lastMs = Math.min(day.toMs, Math.max(...ofDay.map(({ toMs }) => toMs))) - LAST_PICTURES_MS;
  session.seek(edge === 'first' ? firstMs : lastMs);
}

/** Before the end, for a picture to be there. */
const LAST_PICTURES_MS = 1_000;
