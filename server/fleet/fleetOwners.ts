// For which member group each device counts where member groups share something. Read anew when records were edited, and every so often.
import type { OnFault } from '../faults/onFault.ts';
import { Rounds } from '../faults/rounds.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { FleetStore } from '../store/fleet/fleet.ts';

export interface FleetOwnersDeps {
  readonly store: Pick<FleetStore, 'owned'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

const RELOAD_MS = 60_000;
const SOON_MS = 300;

export class FleetOwners implements DeviceOwners {
  readonly #deps: FleetOwnersDeps;
  readonly #rounds: Rounds;
  #byDevice: ReadonlyMap<string, number> = new Map();
  #byArchive: ReadonlyMap<number, number> = new Map();
  #count = 0;

  constructor(deps: FleetOwnersDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.reload(),
      failure: 'the owners of devices could not be read',
      intervalMs: RELOAD_MS,
      delayMs: SOON_MS,
    });
  }

  ofDevice(deviceId: string): number {
    return this.#byDevice.get(deviceId) ?? 0;
  }

  ofArchive(archiveNumber: number): number {
    return this.#byArchive.get(archiveNumber) ?? 0;
  }

  get count(): number {
    return this.#count;
  }

  async reload(): Promise<void> {
    const devices = await this.#deps.store.owned();
    this.#byDevice = new Map(devices.map(({ deviceId, memberGroup }) => [deviceId, memberGroup]));
    this.#byArchive = new Map(devices.map(({ archiveNumber, memberGroup }) => [archiveNumber, memberGroup]));
    this.#count = new Set(this.#byDevice.values()).size;
  }

  reloadSoon(): void {
    this.#rounds.workSoon();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }
}
