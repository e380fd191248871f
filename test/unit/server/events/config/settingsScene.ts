// Settings of devices over a store that the test fills.
import { DeviceSettings } from '../../../../../server/events/config/deviceSettings.ts';
import { builtInRows } from '../../../../../server/events/types/builtInRows.ts';
import type { StoredEventType } from '../../../../../server/store/events/eventTypes.ts';
import type { EventRuleScope, StoredEventRule } from '../../../../../server/store/events/rules/eventRules.ts';
import type { RuledDevice, RulePlaces } from '../../../../../server/store/events/rules/rulePlaces.ts';
import type { EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

export const INSTALLATION: EventRuleScope = { kind: 'installation' };
export const inGroup = (deviceGroup: number): EventRuleScope => ({ kind: 'group', deviceGroup });
export const ofDevice = (deviceId: string): EventRuleScope => ({ kind: 'device', deviceId });

export function ruledDevice(deviceId: string, change: Partial<RuledDevice> = {}): RuledDevice {
  const usual = { deviceGroup: undefined, timeZone: 'UTC', disabled: false, wasSeen: true };
  return { deviceId, incarnation: 1, archiveNumber: Number(deviceId.slice(3)), ...usual, ...change };
}

export class SettingsScene {
  readonly timers = new ManualTimers();
  types: StoredEventType[] = builtInRows().map((row) => ({ ...row, version: 1 }));
  rules: StoredEventRule[] = [];
  devices: RuledDevice[] = [];
  parents = new Map<number, number | undefined>();
  reloads = 0;
  /** Settles with what is there when it is called. */
  read: (rules: readonly StoredEventRule[]) => Promise<StoredEventRule[]> = async (rules) => [...rules];
  readonly settings: DeviceSettings;

  constructor() {
    const scene = this;
    this.settings = new DeviceSettings({
      rules: { all: () => this.read([...this.rules]) },
      places: { places: async (): Promise<RulePlaces> => ({ devices: this.devices, parents: this.parents }) },
      types: {
        get all() {
          return scene.types;
        },
      },
      onReloaded: () => this.reloads++,
      runAfter: this.timers.runAfter,
      onFault: (error) => {
        throw error;
      },
    });
  }

  set(scope: EventRuleScope, type: string, settings: EventRuleSettings): number {
    const id = this.rules.length + 1;
    this.rules.push({ id, type, scope, settings, version: 1 });
    return id;
  }
}
