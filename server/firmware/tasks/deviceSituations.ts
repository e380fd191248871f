// How devices are, as far as their firmware waits for it: what their terminals have reported since the gateway started.
import type { Report, ReportingDevice } from '../../device/reportFeed.ts';

interface Reported {
  /** Undefined while it moves. */
  parkedSinceMs: number | undefined;
  signal: number | undefined;
}

/** Below it a standing vehicle's fixes only wander. */
const MOVING_FROM_KMH = 3;

export class DeviceSituations {
  /** By incarnation: as many as devices have reported since the start. */
  readonly #reported = new Map<number, Reported>();

  readonly handle = (report: Report): void => {
    if (report.kind !== 'position' || !report.isLive) return;
    const { position, details } = report;
    const known = this.#of(report.device);
    const isMoving = position.speedKmh >= MOVING_FROM_KMH;
    known.parkedSinceMs = isMoving ? undefined : (known.parkedSinceMs ?? position.receivedAtMs);
    known.signal = details.radioSignal ?? known.signal;
  };

  of(incarnation: number): Readonly<Reported> | undefined {
    return this.#reported.get(incarnation);
  }

  #of({ incarnation }: ReportingDevice): Reported {
    const known = this.#reported.get(incarnation);
    if (known !== undefined) return known;
    const reported: Reported = { parkedSinceMs: undefined, signal: undefined };
    this.#reported.set(incarnation, reported);
    return reported;
  }
}
