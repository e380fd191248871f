// How devices are, as far as their firmware waits for it.
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import type { DeviceRegistry } from '../../device/registry.ts';
import type { Report } from '../../device/reportFeed.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { ReachedDevice } from '../../store/firmware/firmwareReach.ts';
import type { DeviceSituation } from '../rules/conditions.ts';
import { parkedSince } from '../rules/parking.ts';

type Reported = Pick<DeviceSituation, 'parkedSinceMs' | 'ignitionOn' | 'signal'>;

const NOTHING: Reported = { parkedSinceMs: undefined, ignitionOn: undefined, signal: undefined };

/** What terminals have reported since they signed in. */
export class DeviceSituations {
  /** By incarnation: as many as devices are online, and have reported a position. */
  readonly #reported = new Map<number, Reported>();

  readonly handle = (report: Report): void => {
    const { incarnation } = report.device;
    // A recorder that was without power knows nothing of what the vehicle did: what it said before says nothing of now.
    if (report.kind === 'presence') this.#reported.delete(incarnation);
    if (report.kind !== 'position' || !report.isLive) return;
    const { position, details } = report;
    const { speedKmh, statusBits, receivedAtMs: atMs } = position;
    const ignitionOn = hasBit(statusBits, StatusBit.AccOn);
    const hasFix = hasBit(statusBits, StatusBit.Fixed);
    const { parkedSinceMs: before, signal } = this.of(incarnation);
    const parkedSinceMs = parkedSince(before, { hasFix, speedKmh, ignitionOn, atMs });
    this.#reported.set(incarnation, { parkedSinceMs, ignitionOn, signal: details.radioSignal ?? signal });
  };

  of(incarnation: number): Reported {
    return this.#reported.get(incarnation) ?? NOTHING;
  }
}

export interface SituationSources {
  readonly situations: Pick<DeviceSituations, 'of'>;
  readonly registry: Pick<DeviceRegistry, 'session' | 'facts'>;
  readonly plans: Pick<PlanGate, 'mayTransfer'>;
  /** Somebody watches the device, or fetches its video. */
  readonly isWatched: (deviceId: string) => boolean;
}

/** `imageBytes`: what has to be left of the data plan. */
export function createSituationOf({ situations, registry, plans, isWatched }: SituationSources) {
  return (
    { deviceId, incarnation }: Pick<ReachedDevice, 'deviceId' | 'incarnation'>,
    imageBytes: number,
  ): Omit<DeviceSituation, 'isInWindow'> => ({
    ...situations.of(incarnation),
    isOnline: registry.session(deviceId)?.incarnation === incarnation,
    isWatched: isWatched(deviceId),
    mayTransfer: plans.mayTransfer(deviceId, 0).ok,
    hasPlanLeft: plans.mayTransfer(deviceId, imageBytes).ok,
    reported: registry.facts(deviceId).attributes,
  });
}
