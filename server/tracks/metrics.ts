import { Counter, Gauge, type Registry } from 'prom-client';
import type { TrackEngine } from './engine/trackEngine.ts';

/** Adds the computed tracks, and those that wait, to the figures of the gateway. */
export function registerTrackMetrics(
  registry: Registry,
  engine: Pick<TrackEngine, 'recomputedDays' | 'failures' | 'waitingCount' | 'dirtyCount'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_tracks_recomputed_total',
    help: 'Days of tracks that were worked out anew because of late positions',
    registers,
    collect() {
      this.reset();
      this.inc(engine.recomputedDays);
    },
  });
  new Counter({
    name: 'fleetglass_tracks_failures_total',
    help: 'Tracks that could not be worked out or written, and were tried again',
    registers,
    collect() {
      this.reset();
      this.inc(engine.failures);
    },
  });
  new Gauge({
    name: 'fleetglass_tracks_waiting_devices',
    help: 'Devices whose tracks are to be worked out',
    registers,
    collect() {
      this.set(engine.waitingCount);
    },
  });
  new Gauge({
    name: 'fleetglass_tracks_dirty_days',
    help: 'Days of tracks that are to be worked out anew',
    registers,
    collect() {
      this.set(engine.dirtyCount);
    },
  });
}
