import type { EventRuleField } from '../../../../shared/protocol/events/eventRules.ts';
import type { Field, Form } from '../../../../shared/ui/form/useForm.ts';
import type { RuleDraft } from './ruleForm.ts';

export type RuleForm = Form<RuleDraft>;

/** The field as inputs take it. Whoever changes its value sets it in this place. */
export function settingField<Name extends EventRuleField>(form: RuleForm, name: Name): Field<RuleDraft[Name]['value']> {
  const field = form.field(name);
  return {
    ...field,
    value: field.value.value,
    onChange: (value) => field.onChange({ isOwn: true, value } as RuleDraft[Name]),
  };
}
