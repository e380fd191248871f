// What keys and buttons do with the clock. Pure but for the clock that they steer.
import { isForElement, type PlaybackCommand, playbackCommand } from '../../../../shared/player/playback/shortcuts.ts';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import type { PageClock } from '../clock/pageClock.ts';
import { nextMoment, previousMoment } from '../clock/ranges.ts';

type StepKind = 'point' | 'stop' | 'event';
type Direction = -1 | 1;

export type TrackCommand =
  | Exclude<PlaybackCommand, { readonly type: 'step' }>
  | { readonly type: 'step'; readonly kind: StepKind; readonly direction: Direction };

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

const STEPS: Readonly<Record<string, readonly [StepKind, Direction]>> = {
  '[': ['stop', -1],
  ']': ['stop', 1],
  '{': ['event', -1],
  '}': ['event', 1],
};

/** The keys of playback, of which those for single pictures go to single points; those for stops and events beside them. */
export function trackCommand(key: Key): TrackCommand | undefined {
  const step = key.ctrlKey || key.altKey || key.metaKey ? undefined : STEPS[key.key];
  if (step !== undefined) return { type: 'step', kind: step[0], direction: step[1] };
  const command = playbackCommand(key);
  if (command?.type !== 'step') return command;
  return { type: 'step', kind: 'point', direction: command.frames < 0 ? -1 : 1 };
}

/** Whether a key pressed there is for the element itself, among them those with arrows of their own. */
export function isForOther(target: EventTarget | null, key: string): boolean {
  if (isForElement(target, key)) return true;
  if (!(target instanceof Element)) return false;
  // A map moves by its arrows, tabs and menus too, and a list that scrolls.
  const isArrow = key.startsWith('Arrow') || key === 'Home' || key === 'End';
  return isArrow && target.closest('.maplibregl-canvas, [role=tab], [role=menu], [role=table], [role=dialog]') !== null;
}

export interface StepTargets {
  readonly summary: TrackSummary | undefined;
  readonly pointFrom: (atMs: number, direction: Direction) => number | undefined;
}

/** So soon behind a stop or an event, the one before is the one before it. */
const JUST_PASSED_MS = 2_000;
const BACKWARD_MS = 5_000;

/** Undefined where there is no target. */
function stepTarget(targets: StepTargets, kind: StepKind, direction: Direction, atMs: number): number | undefined {
  if (kind === 'point') return targets.pointFrom(atMs, direction);
  const { stops = [], events = [] } = targets.summary ?? {};
  const moments = kind === 'stop' ? stops.map(({ fromMs }) => fromMs) : events.map(({ beginAtMs }) => beginAtMs);
  moments.sort((left, right) => left - right);
  return direction > 0 ? nextMoment(moments, atMs) : previousMoment(moments, atMs, JUST_PASSED_MS);
}

export function run(command: TrackCommand, clock: PageClock, targets: StepTargets): void {
  switch (command.type) {
    case 'toggle':
      clock.toggle();
      return;
    case 'pause':
      clock.pause();
      return;
    case 'forward':
      clock.forward();
      return;
    case 'backward':
      // A track doesn't play backwards; the key for it goes back a little.
      clock.seekBy(-BACKWARD_MS * clock.state.speed);
      return;
    case 'seek':
      clock.seekBy(command.deltaMs);
      return;
    case 'first':
      clock.seek(clock.course.fromMs);
      return;
    case 'last':
      clock.seek(clock.course.toMs);
      return;
    case 'step': {
      const target = stepTarget(targets, command.kind, command.direction, clock.state.positionMs);
      if (command.kind === 'point') clock.pause();
      if (target !== undefined) clock.seek(target);
      return;
    }
  }
}
