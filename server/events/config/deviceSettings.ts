// The configuration of events for each device. It is in memory because every position needs it.
import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import { inBackground } from '../../faults/background.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import type { EventRuleStore } from '../../store/events/rules/eventRules.ts';
import type { RuledDevice, RulePlaceStore } from '../../store/events/rules/rulePlaces.ts';
import type { EventDevice } from '../engine/trackedEvent.ts';
import type { TypeSettings } from '../engine/typeSettings.ts';
import type { PreparedRule } from '../rules/rule.ts';
import { type LayerSettings, SettingsTree } from './settingsTree.ts';

export interface DeviceSettingsDeps {
  readonly rules: Pick<EventRuleStore, 'all'>;
  readonly places: RulePlaceStore;
  /** The types in memory: whoever reloads them reloads these settings too. */
  readonly types: { readonly all: Iterable<StoredEventType> };
  /** New settings apply from now on. */
  readonly onReloaded: () => void;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** This gateway's own changes reload at once; the interval is for changes by another program. */
const RELOAD_INTERVAL_MS = 60_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
const NO_RULES: readonly PreparedRule[] = [];

/** Devices with the same settings share one object. */
interface Placed {
  readonly settings: LayerSettings;
  readonly rules: readonly PreparedRule[];
}

export class DeviceSettings {
  readonly #deps: DeviceSettingsDeps;
  #installation: LayerSettings | undefined;
  #elsewhere: Placed | undefined;
  #devices: readonly RuledDevice[] = [];
  #placed: ReadonlyMap<string, Placed> = new Map();
  /** The placed settings by what makes devices the same: layers and time zone. */
  #shared: ReadonlyMap<string, Placed> = new Map();
  #rounds: Rounds | undefined;
  #asked = 0;
  #answered = 0;

  constructor(deps: DeviceSettingsDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.reload();
    this.#rounds = new Rounds({
      ...this.#deps,
      work: () => this.reload(),
      failure: 'the settings of events could not be read',
      intervalMs: RELOAD_INTERVAL_MS,
      delayMs: RELOAD_INTERVAL_MS,
    });
  }

  /** Called when rules or types were edited. */
  async reload(): Promise<void> {
    const { rules, places, types, onReloaded } = this.#deps;
    const turn = ++this.#asked;
    const [stored, { devices, parents }] = await Promise.all([rules.all(), places.places()]);
    // The answer to the first of two simultaneous edits may come last.
    if (turn < this.#answered) return;
    this.#answered = turn;
    const tree = new SettingsTree({ types: [...types.all], rules: stored, parents });
    this.#take(devices, tree);
    onReloaded();
  }

  /** Called when devices or groups were edited; reloads in the background. */
  reloadSoon(): void {
    const { runAfter, onFault } = this.#deps;
    if (this.#cancelSoon !== undefined) return;
    this.#cancelSoon = runAfter(RELOAD_DELAY_MS, () => {
      this.#cancelSoon = undefined;
      inBackground('the settings of events could not be read', this.reload(), onFault);
    });
  }

  async close(): Promise<void> {
    this.#cancelSoon?.();
    await this.#rounds?.close();
  }

  get devices(): readonly RuledDevice[] {
    return this.#devices;
  }

  knows(deviceId: string): boolean {
    return this.#placed.has(deviceId);
  }

  /** Number of different objects that devices share. */
  get sharedCount(): number {
    return this.#shared.size;
  }

  /** Undefined for a type that is unknown or disabled here. `device` undefined: the gateway itself. */
  settingsOf(device: Pick<EventDevice, 'deviceId'> | undefined, type: string): TypeSettings | undefined {
    return this.#settingsAt(device)?.of(type)?.settings;
  }

  /** The values that say what to do when an event begins; undefined as above. */
  actionsOf(device: Pick<EventDevice, 'deviceId'> | undefined, type: string): EventRuleValues | undefined {
    const found = this.#settingsAt(device)?.of(type);
    return found?.settings === undefined ? undefined : found.values;
  }

  /** The rules that are on. The same list as long as none of them changes. */
  rulesOf({ deviceId }: Pick<EventDevice, 'deviceId'>): readonly PreparedRule[] {
    return (this.#placed.get(deviceId) ?? this.#elsewhere)?.rules ?? NO_RULES;
  }

  #cancelSoon: (() => void) | undefined;

  #settingsAt(device: Pick<EventDevice, 'deviceId'> | undefined): LayerSettings | undefined {
    return device === undefined
      ? this.#installation
      : (this.#placed.get(device.deviceId)?.settings ?? this.#installation);
  }

  #take(devices: readonly RuledDevice[], tree: SettingsTree): void {
    const shared = new Map<string, Placed>();
    const placedIn = (settings: LayerSettings, timeZone: string): Placed => {
      const key = `${settings.key} ${timeZone}`;
      const known = shared.get(key) ?? this.#refreshed(this.#shared.get(key), settings, timeZone);
      shared.set(key, known);
      return known;
    };
    this.#placed = new Map(
      devices.map((device) => [device.deviceId, placedIn(tree.settingsOf(device), device.timeZone)]),
    );
    this.#installation = tree.installation;
    this.#elsewhere = placedIn(tree.installation, '');
    this.#shared = shared;
    this.#devices = devices;
  }

  /** Keeps the previous list where all its rules are the same: a new list would have every device look through it. */
  #refreshed(before: Placed | undefined, settings: LayerSettings, timeZone: string): Placed {
    const rules = settings.rulesIn(timeZone, before?.rules ?? NO_RULES);
    return { settings, rules };
  }
}
