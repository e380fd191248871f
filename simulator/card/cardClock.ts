// A simulated terminal's card is dated by the terminal's own clock: what is asked of it, what it says that it has, and the stamps
// in its recordings.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { terminalClock } from '../positionReport.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';

export class CardClock {
  /** So much the terminal's clock is ahead. */
  readonly aheadMs: number;

  constructor(profile: VehicleProfile, nowMs: number) {
    this.aheadMs = terminalClock(profile, nowMs, 0) - nowMs;
  }

  /** What the terminal's clock shows at a moment. */
  shown(atMs: number): WallMs {
    return wallMs(atMs + this.aheadMs);
  }

  /** When the terminal's clock shows that; the bounds of a question that are left open stay so. */
  moment<T extends number | undefined>(shownMs: T): T | number {
    return shownMs === undefined ? shownMs : shownMs - this.aheadMs;
  }
}
