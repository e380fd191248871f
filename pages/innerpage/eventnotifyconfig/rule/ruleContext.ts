import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { RuleDraft } from './ruleForm.ts';

/** What every part of the rule's form needs. */
export interface RuleContext {
  readonly form: Form<RuleDraft>;
  readonly choices: NotifyChoices;
  readonly names: EventNames;
}
