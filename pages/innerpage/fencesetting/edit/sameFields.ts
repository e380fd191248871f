import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { FenceDraft } from './fenceForm.ts';

export type SeenForm = Pick<Form<FenceDraft>, 'values' | 'isSaving' | 'field'>;

/**
 * Whether a section that shows only these fields looks as before. The form is another one at every key, and at every move of
 * an outline that is dragged: sections of many inputs are too slow to be drawn again each time.
 */
export function hasSameFields(before: SeenForm, after: SeenForm, names: readonly (keyof FenceDraft)[]): boolean {
  return (
    before.isSaving === after.isSaving &&
    names.every(
      (name) => before.values[name] === after.values[name] && before.field(name).problem === after.field(name).problem,
    )
  );
}
