// Runs notification rules in the gateway: who is notified of an event is decided before it is written.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import type { NotifyRuleDeps } from '../../http/notify/rules/notifyRuleDeps.ts';
import { DryRuns } from '../../notify/rules/dryRuns.ts';
import { NotifyPlanner, type NotifyPlannerDeps } from '../../notify/rules/notifyPlanner.ts';
import { NotifySettings } from '../../notify/rules/notifySettings.ts';
import { type Context, toolsOf } from '../context.ts';

export interface NotifyRules {
  readonly settings: NotifySettings;
  readonly planner: NotifyPlanner;
  /** The dependencies of API calls. */
  readonly forCalls: Pick<NotifyRuleDeps, 'notifySettings' | 'dryRuns' | 'isSenderFailing'>;
}

type NotifyRulesContext = Pick<Context, 'stores' | 'bus' | 'log' | 'closing' | 'onLimit'>;

/** Left out: no sender fails, and nobody sends. */
type NotifyRulesParts = Partial<Pick<NotifyPlannerDeps, 'isFailing' | 'onMessages'>>;

/** The records beside rules that decide who is notified. */
const SETTINGS_RECORDS: readonly RecordKind[] = ['device', 'group', 'member', 'membergroup', 'role', 'sender'];

/** Runs before the events, since the first of them may need a notification. */
export async function startNotifyRules(
  context: NotifyRulesContext,
  parts: NotifyRulesParts = {},
): Promise<NotifyRules> {
  const { stores, bus, closing, onLimit } = context;
  const { isFailing = () => false, onMessages = () => undefined } = parts;
  const common = { now: Date.now, ...toolsOf(context, 'notification rules'), onLimit };
  const settings = new NotifySettings({
    ...common,
    rules: stores.notifyRules,
    members: stores.notifyMembers,
    senders: stores.notifySenderNames,
    places: stores.notifyPlaces,
  });
  closing.add('settings of notifications', () => settings.close());
  await settings.start();
  bus.recordsChanged.subscribe('notification rules', async ({ kinds }) => {
    // The call is answered once events that begin follow the rule.
    if (kinds.includes('notifyrule')) await settings.reload();
    else if (kinds.some((kind) => SETTINGS_RECORDS.includes(kind))) settings.reloadSoon();
  });
  const planner = new NotifyPlanner({ ...common, isFailing, onMessages, settings, told: stores.notifyTold });
  closing.add('planning of notifications', () => planner.close());
  await planner.start();
  return {
    settings,
    planner,
    forCalls: {
      notifySettings: settings,
      dryRuns: new DryRuns({ ...common, settings, events: stores.pastEvents, nextTurn }),
      isSenderFailing: isFailing,
    },
  };
}
