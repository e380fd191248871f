// A step's parts as inputs take them. Pure but for what the form does.
import type { Field, Form } from '../../../../shared/ui/form/useForm.ts';
import type { RuleDraft, StepDraft } from './ruleForm.ts';

export type StepPart = <Name extends keyof StepDraft & string>(name: Name) => Field<StepDraft[Name]>;

export function stepPart(form: Form<RuleDraft>, at: number): StepPart {
  return (name) => {
    const step = form.values.steps[at] as StepDraft;
    return form.part(`steps.${at}.${name}`, {
      value: step[name],
      onChange: (value) => changeStep(form, at, { [name]: value }),
    });
  };
}

export function changeStep(form: Form<RuleDraft>, at: number, part: Partial<StepDraft>): void {
  const { steps } = form.values;
  form.change({ steps: steps.map((step, each) => (each === at ? { ...step, ...part } : step)) });
}
