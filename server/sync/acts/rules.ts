// What members do with the rules of data sync of their group.
import type { SyncRuleContent } from '../../../shared/protocol/api/sync/sync.ts';
import { createRecordActs, type RecordActs, type RecordActsDeps, refusalOfFields } from '../../records/recordActs.ts';
import type { FenceReachStore } from '../../store/fences/fenceReach.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';

export type SyncRuleActs = RecordActs<SyncRuleContent, StoredSyncRule>;

export interface SyncRuleActsDeps extends RecordActsDeps<SyncRuleContent, StoredSyncRule> {
  readonly items: Pick<SyncItemStore, 'dropPlanned'>;
  readonly reach: Pick<FenceReachStore, 'deviceGroups' | 'devices'>;
}

/** What a rule of the member group can name. */
interface RuleChoices {
  readonly deviceGroups: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
}

export function createSyncRuleActs({ items, reach, ...deps }: SyncRuleActsDeps): SyncRuleActs {
  const acts = createRecordActs<SyncRuleContent, StoredSyncRule>(
    {
      subject: 'syncrule',
      kind: 'syncrule',
      nameOf: ({ content }) => content.name,
      tidy,
      check: async (rule, { memberGroup }) => {
        const [deviceGroups, devices] = await Promise.all([
          reach.deviceGroups(memberGroup),
          reach.devices(memberGroup, rule.devices),
        ]);
        const seen = new Set(devices.map(({ deviceId }) => deviceId));
        return refusalOfFields(faultsOfRule(rule, { deviceGroups: new Set(deviceGroups), devices: seen }));
      },
      auditFields: ({ content }) => ({ ...content }),
    },
    deps,
  );
  return {
    ...acts,
    remove: async (actor, named) => {
      // Items keep no rule that is gone, so what it has planned could not be found afterwards.
      const found = await deps.store.find(named.id, actor);
      if (found?.version === named.version) await items.dropPlanned(named.id);
      return acts.remove(actor, named);
    },
  };
}

/** The rule without blanks around its name, and without event types where it isn't for events. */
function tidy(rule: SyncRuleContent): SyncRuleContent {
  return { ...rule, name: rule.name.trim(), eventTypes: rule.choice === 'events' ? rule.eventTypes : [] };
}

/** A code for each field that is wrong. */
function faultsOfRule(rule: SyncRuleContent, choices: RuleChoices): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (rule.name === '') faults.name = 'required';
  if (!rule.deviceGroups.every((group) => choices.deviceGroups.has(group))) faults.deviceGroups = 'unknown';
  if (!rule.devices.every((device) => choices.devices.has(device))) faults.devices = 'unknown';
  // A device that may use no network would wait forever.
  if (!rule.wifi && !rule.lan && !rule.mobile) faults.wifi = 'required';
  return faults;
}
