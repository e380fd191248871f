import { createMemberGroupActs } from '../../../auth/acts/memberGroups.ts';
import { createMemberActs } from '../../../auth/acts/members.ts';
import { createRoleActs } from '../../../auth/acts/roles.ts';
import { createDeviceGroupActs } from '../../../devices/acts/deviceGroups.ts';
import { createDeviceActs } from '../../../devices/acts/devices.ts';
import { createEventReasonActs } from '../../../events/acts/reasons.ts';
import { createEventRuleActs } from '../../../events/acts/rules.ts';
import { createEventTypeActs } from '../../../events/acts/types.ts';
import { createFenceActs } from '../../../fences/acts/fences.ts';
import { createSenderActs } from '../../../notify/acts/senders.ts';
import { createTemplateActs } from '../../../notify/acts/templates.ts';
import type { BackupRoutesDeps } from '../backupDeps.ts';
import type { PartActs } from './partActs.ts';

export function createPartActs(deps: BackupRoutesDeps): PartActs {
  const { stores, accounts, sessions, secretBox, bus, now } = deps;
  const { invitations, passwords } = accounts;
  const ofAccounts = { ...stores, invitations, passwords, sessions, bus, now };
  const trail = { audit: stores.audit, bus, now };
  return {
    deviceGroups: createDeviceGroupActs({ ...trail, store: stores.deviceTree }),
    devices: createDeviceActs(deps),
    roles: createRoleActs(ofAccounts),
    memberGroups: createMemberGroupActs(ofAccounts),
    members: createMemberActs(ofAccounts),
    fences: createFenceActs({ store: stores.fences, reach: stores.fenceReach, bus, now }),
    eventTypes: createEventTypeActs({ store: stores.eventTypes, bus, now }),
    eventReasons: createEventReasonActs({ store: stores.eventReasons, bus, now }),
    eventRules: createEventRuleActs({ stores, bus, now }),
    senders: createSenderActs({ ...trail, store: stores.notifySenders, secretBox }),
    templates: createTemplateActs({ ...trail, store: stores.notifyTemplates }),
  };
}
