import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { DryRuns } from '../../../notify/rules/dryRuns.ts';
import type { NotifySettings } from '../../../notify/rules/notifySettings.ts';
import type { Stores } from '../../../store/stores.ts';

export interface NotifyRuleDeps {
  readonly stores: Pick<
    Stores,
    'eventList' | 'eventTypes' | 'notifyChoices' | 'notifyRules' | 'notifySenderNames' | 'notifyTold' | 'positions'
  >;
  readonly notifySettings: Pick<NotifySettings, 'facts'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly dryRuns: Pick<DryRuns, 'run'>;
  /** Whether the sender keeps failing. */
  readonly isSenderFailing: (sender: number) => boolean;
  readonly now: () => WallMs;
}

export const MAY_CONFIGURE_NOTIFICATIONS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.EventNotifyConfig] },
} as const;

export const NO_NOTIFY_RULE = {
  status: 404,
  code: 'no-such-notify-rule',
  message: "Notification rule not found, or you don't have access to it.",
} as const;

export const TOO_MANY_NOTIFY_RULES = {
  status: 409,
  code: 'too-many-notify-rules',
  message: "You've reached the limit of notification rules. Delete some that aren't needed first.",
} as const;
