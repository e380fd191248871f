// What members do with the notification rules of their group.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { NotifyRuleContent } from '../../../shared/protocol/api/notify/notifyRules.ts';
import {
  type ContentRefusal,
  createRecordActs,
  type RecordActs,
  type RecordActsDeps,
  refusalOfFields,
} from '../../records/recordActs.ts';
import type { EventTypeStore } from '../../store/events/eventTypes.ts';
import type { NotifyChoiceStore } from '../../store/notify/notifyChoices.ts';
import type { StoredNotifyRule } from '../../store/notify/notifyRules.ts';
import { faultsOfRule } from '../rules/ruleChecks.ts';

export type NotifyRuleActs = RecordActs<NotifyRuleContent, StoredNotifyRule>;

/** What a rule can name. */
interface NotifyRuleChoices {
  readonly choices: NotifyChoiceStore;
  readonly types: Pick<EventTypeStore, 'all'>;
}

export interface NotifyRuleActsDeps extends RecordActsDeps<NotifyRuleContent, StoredNotifyRule>, NotifyRuleChoices {}

export function createNotifyRuleActs({ choices, types, ...deps }: NotifyRuleActsDeps): NotifyRuleActs {
  return createRecordActs<NotifyRuleContent, StoredNotifyRule>(
    {
      subject: 'notifyrule',
      kind: 'notifyrule',
      nameOf: ({ name }) => name,
      tidy: tidyRule,
      check: (rule, { memberGroup }) => refusalOfRule(rule, memberGroup, { choices, types }),
      auditFields,
    },
    deps,
  );
}

/** Texts without blanks at their ends. */
export function tidyRule(rule: NotifyRuleContent): NotifyRuleContent {
  return { ...rule, name: rule.name.trim() };
}

/** Undefined for a rule that the member group can have. */
export async function refusalOfRule(
  rule: NotifyRuleContent,
  memberGroup: number,
  { choices, types }: NotifyRuleChoices,
): Promise<ContentRefusal | undefined> {
  const [known, knownTypes] = await Promise.all([choices.choices(memberGroup), types.all()]);
  return refusalOfFields(faultsOfRule(rule, known, new Set(knownTypes.map(({ code }) => code))));
}

function auditFields(rule: StoredNotifyRule): AuditFields {
  const { id: _, version: __, memberGroup: ___, changedAtMs: ____, changedBy: _____, ...content } = rule;
  return content;
}
