import type { Signal } from '../../events/signals/signal.ts';
import type { PreparedFence } from '../directory/preparedFence.ts';
import type { FenceState } from './fenceState.ts';
import type { Moment } from './moment.ts';

/** What the course of a device through fences is told to. */
export interface FenceLog {
  readonly emit: (signal: Signal) => void;
  /** The state that it now has: inside or outside since then. */
  entered(state: FenceState): void;
  /** `from`: since when it was inside. */
  left(state: FenceState, visit: Visit): void;
  /** It drove through between two points. */
  passed(fence: PreparedFence, visit: Visit): void;
  /** It is watched from now on for being outside. */
  watchedOutside(state: FenceState): void;
  /** The fence is off, gone, or none of the device's any more. */
  dropped(state: FenceState, at: Moment): void;
  /** Whether the entering or leaving is to be told: late positions may have told it already. */
  isNews(state: FenceState, before: Moment | undefined): boolean;
  onStatesFull(isOutside: boolean): void;
}

export interface Visit {
  readonly from: Moment;
  readonly to: Moment;
}
