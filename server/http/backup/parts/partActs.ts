// The use cases by which an import saves records: those that the calls of the pages have.
import type { MemberGroupActs } from '../../../auth/acts/memberGroups.ts';
import type { MemberActs } from '../../../auth/acts/members.ts';
import type { RoleActs } from '../../../auth/acts/roles.ts';
import type { DeviceGroupActs } from '../../../devices/acts/deviceGroups.ts';
import type { DeviceActs } from '../../../devices/acts/devices.ts';
import type { EventReasonActs } from '../../../events/acts/reasons.ts';
import type { EventRuleActs } from '../../../events/acts/rules.ts';
import type { EventTypeActs } from '../../../events/acts/types.ts';
import type { FenceActs } from '../../../fences/acts/fences.ts';
import type { SenderActs } from '../../../notify/acts/senders.ts';
import type { TemplateActs } from '../../../notify/acts/templates.ts';

export interface PartActs {
  readonly roles: RoleActs;
  readonly memberGroups: MemberGroupActs;
  readonly members: MemberActs;
  readonly fences: FenceActs;
  readonly eventTypes: EventTypeActs;
  readonly eventReasons: EventReasonActs;
  readonly eventRules: EventRuleActs;
  readonly devices: DeviceActs;
  readonly deviceGroups: DeviceGroupActs;
  readonly senders: SenderActs;
  readonly templates: TemplateActs;
}
