// Events of the gateway itself: that it started, that its disk is full, gone or failing, that a terminal requests access.
import type { RefusedTerminal } from '../device/jt808/terminalAuthenticator.ts';
import type { EventEngine } from '../events/engine/eventEngine.ts';
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
  'disk-failing': ['failing'],
};

/** Also ends what an earlier run of the gateway began, once the disk has been looked at. */
export function watchDisk(engine: Raising, disk: Pick<Disk, 'subscribe'>): void {
  disk.subscribe((state) => {
    for (const [type, states] of Object.entries(DISK_TYPES)) {
      engine.raise({ type, form: states.includes(state) ? 'begin' : 'end' });
    }
  });
}
