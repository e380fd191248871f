// The devices and rules of data sync: read again when records were edited, and periodically, since devices move.
import type { OnFault } from '../faults/onFault.ts';
import { Rounds } from '../faults/rounds.ts';
import type { StoredSyncRule, SyncRuleStore } from '../store/sync/syncRules.ts';
import type { SyncDevice, SyncPlaces, SyncSourceStore } from '../store/sync/syncSources.ts';
import { coversDevice, ownsDevice } from './plan/reach.ts';

export interface DirectoryDeps {
  readonly sources: Pick<SyncSourceStore, 'places'>;
  readonly rules: Pick<SyncRuleStore, 'all'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

const RELOAD_MS = 60_000;
const SOON_MS = 200;

export class SyncDirectory {
  readonly #deps: DirectoryDeps;
  readonly #rounds: Rounds;
  #groups: Pick<SyncPlaces, 'parents' | 'owners'> = { parents: new Map(), owners: new Map() };
  #byIncarnation = new Map<number, SyncDevice>();
  #byId = new Map<string, SyncDevice>();
  #rules = new Map<number, StoredSyncRule>();
  #ownerCount = 0;
  #isReloadWanted = false;
  #onReloaded: () => void = () => undefined;

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.reload(),
      failure: 'devices and rules of data sync could not be read',
      intervalMs: RELOAD_MS,
      delayMs: SOON_MS,
    });
  }

  /** Calls after each reload. */
  watch(onReloaded: () => void): void {
    this.#onReloaded = onReloaded;
  }

  async reload(): Promise<void> {
    this.#isReloadWanted = false;
    const [{ devices, ...groups }, rules] = await Promise.all([this.#deps.sources.places(), this.#deps.rules.all()]);
    this.#groups = groups;
    this.#ownerCount = new Set([...groups.owners.values()].flatMap((owners) => [...owners])).size;
    this.#byIncarnation = new Map(devices.map((device) => [device.incarnation, device]));
    this.#byId = new Map(devices.map((device) => [device.deviceId, device]));
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    this.#onReloaded();
  }

  reloadSoon(): void {
    this.#rounds.workSoon();
  }

  /** Undefined for a deleted device. */
  device(incarnation: number): SyncDevice | undefined {
    return this.#byIncarnation.get(incarnation);
  }

  deviceOf(deviceId: string): SyncDevice | undefined {
    return this.#byId.get(deviceId);
  }

  /** Device of a connected terminal. An unknown one was added without this gateway's calls, and is read soon. */
  presentDevice(deviceId: string): SyncDevice | undefined {
    const known = this.#byId.get(deviceId);
    // Each request postpones the reload: many terminals that connect at once must not postpone it for as long as they come.
    if (known === undefined && !this.#isReloadWanted) {
      this.#isReloadWanted = true;
      this.reloadSoon();
    }
    return known;
  }

  get devices(): Iterable<SyncDevice> {
    return this.#byIncarnation.values();
  }

  rule(id: number): StoredSyncRule | undefined {
    return this.#rules.get(id);
  }

  /** The enabled rules that cover the device. */
  rulesFor(device: SyncDevice): StoredSyncRule[] {
    return [...this.#rules.values()].filter((rule) => rule.content.enabled && this.covers(rule, device));
  }

  covers(rule: StoredSyncRule, device: SyncDevice): boolean {
    return coversDevice(rule, device, this.#groups);
  }

  owns(memberGroup: number, device: SyncDevice): boolean {
    return ownsDevice(memberGroup, device, this.#groups);
  }

  /** Member groups that see the device. */
  ownersOf({ deviceGroup }: SyncDevice): readonly number[] {
    return deviceGroup === undefined ? [] : [...(this.#groups.owners.get(deviceGroup) ?? [])];
  }

  /** The member group that the device counts for: the oldest of several; 0 for none. */
  ownerOf(device: SyncDevice): number {
    const owners = this.ownersOf(device);
    return owners.length === 0 ? 0 : Math.min(...owners);
  }

  /** Member groups that see any device. */
  get ownerCount(): number {
    return this.#ownerCount;
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }
}
