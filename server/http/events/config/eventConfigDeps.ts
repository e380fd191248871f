import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { AlarmLimitSync } from '../../../device/limits/alarmLimitSync.ts';
import type { RulePreviews } from '../../../events/preview/rulePreviews.ts';
import type { Stores } from '../../../store/stores.ts';

export interface EventConfigDeps {
  readonly stores: Pick<Stores, 'deviceRecords' | 'deviceTree' | 'devices' | 'eventRules' | 'eventTypes'>;
  readonly alarmLimits: Pick<AlarmLimitSync, 'current' | 'known' | 'change' | 'isOnline'>;
  readonly rulePreviews: Pick<RulePreviews, 'preview'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

export const MAY_CONFIGURE_EVENTS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.EventConfig] },
} as const;
