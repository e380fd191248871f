// The use cases by which an import saves records: those that the calls of the pages have, in the name of the member who imports.
import { createMemberGroupActs, type MemberGroupActs } from '../../../auth/acts/memberGroups.ts';
import { createMemberActs, type MemberActs } from '../../../auth/acts/members.ts';
import { createRoleActs, type RoleActs } from '../../../auth/acts/roles.ts';
import { createEventReasonActs, type EventReasonActs } from '../../../events/acts/reasons.ts';
import { createEventRuleActs, type EventRuleActs } from '../../../events/acts/rules.ts';
import { createEventTypeActs, type EventTypeActs } from '../../../events/acts/types.ts';
import { createFenceActs, type FenceActs } from '../../../fences/acts/fences.ts';
import { createSenderActs, type SenderActs } from '../../../notify/acts/senders.ts';
import { createTemplateActs, type TemplateActs } from '../../../notify/acts/templates.ts';
import type { Actor } from '../../../records/recordActs.ts';
import type { BackupRoutesDeps } from '../backupDeps.ts';
import type { RequiredIds, WantedRecord } from './partRecords.ts';

/** What came of a record that was to be saved. `code`: the fault of a field, or that of the whole record. */
export type SavedPart =
  | { readonly ok: true; readonly id?: number | string }
  | { readonly ok: false; readonly code: string };

export interface PartActs {
  readonly roles: RoleActs;
  readonly memberGroups: MemberGroupActs;
  readonly members: MemberActs;
  readonly fences: FenceActs;
  readonly eventTypes: EventTypeActs;
  readonly eventReasons: EventReasonActs;
  readonly eventRules: EventRuleActs;
  readonly senders: SenderActs;
  readonly templates: TemplateActs;
}

export interface SavingPart {
  readonly actor: Actor;
  readonly acts: PartActs;
  /** The IDs of the references, which exist. */
  readonly ids: RequiredIds;
}

export type SavePart = (wanted: WantedRecord, saving: SavingPart) => Promise<SavedPart>;

export function createPartActs(deps: BackupRoutesDeps): PartActs {
  const { stores, accounts, sessions, secretBox, bus, now } = deps;
  const { invitations, passwords } = accounts;
  const ofAccounts = { ...stores, invitations, passwords, sessions, bus, now };
  const trail = { audit: stores.audit, bus, now };
  return {
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
