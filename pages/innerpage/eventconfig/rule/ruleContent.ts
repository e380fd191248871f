import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import type { RuleDraft } from './ruleForm.ts';
import type { RuleForm } from './settingField.ts';

/** What every field of the dialog needs. */
export interface RuleContent {
  readonly form: RuleForm;
  /** The rule as the gateway has it. */
  readonly row: EventRuleRow;
  /** The values that would apply without the place's own settings. */
  readonly inherited: RuleDraft;
}
