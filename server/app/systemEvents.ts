// Events of the gateway itself: that it started, that its disk is full or gone, that its license has expired, that a terminal asks
// to be let in.
import type { RefusedTerminal } from '../device/jt808/terminalAuthenticator.ts';
import type { EventEngine } from '../events/engine/eventEngine.ts';
import { Rounds, type RoundsOptions } from '../faults/rounds.ts';
import type { Disk } from '../recording/disk.ts';
import type { DiskState } from '../recording/diskState.ts';

type Raising = Pick<EventEngine, 'raise'>;

export function raiseStarted(engine: Raising): void {
  engine.raise({ type: 'gateway-started', form: 'momentary' });
}

export function raiseRefused(engine: Raising, { device }: RefusedTerminal): void {
  if (device === undefined) engine.raise({ type: 'unknown-terminal', form: 'momentary' });
  else engine.raise({ type: 'identity-changed', form: 'momentary' }, device);
}

const DISK_TYPES: Readonly<Record<string, readonly DiskState[]>> = {
  'disk-full': ['full'],
  'disk-missing': ['gone', 'read-only'],
};

/** Also ends what an earlier run of the gateway began, once the disk has been looked at. */
export function watchDisk(engine: Raising, disk: Pick<Disk, 'subscribe'>): void {
  disk.subscribe((state) => {
    for (const [type, states] of Object.entries(DISK_TYPES)) {
      engine.raise({ type, form: states.includes(state) ? 'begin' : 'end' });
    }
  });
}

export interface LicenseDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  /** 0: never. */
  readonly expiresMs: () => Promise<number>;
  readonly now: () => number;
}

const LICENSE_LOOK_MS = 60 * 60_000;

/** One event, which lasts until the license is renewed, however often it is looked at and the gateway starts. */
export function watchLicense(engine: Raising, { expiresMs, now, ...timing }: LicenseDeps): Rounds {
  return new Rounds({
    ...timing,
    work: async () => {
      const atMs = await expiresMs();
      engine.raise({ type: 'license-expired', form: atMs > 0 && atMs <= now() ? 'begin' : 'end' });
    },
    failure: 'it could not be found out whether the license has expired',
    intervalMs: LICENSE_LOOK_MS,
    delayMs: 0,
  });
}
