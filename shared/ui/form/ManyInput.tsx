import { FilterMany } from '../table/FilterMany.tsx';
import { optionOf } from './deviceChoices.ts';
import type { Option } from './SelectInput.tsx';
import type { Field } from './useForm.ts';

export interface ManyInputProps {
  readonly field: Field<readonly string[]>;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly Option<string>[];
  /** What none chosen stands for, where that is not all. */
  readonly placeholder?: string;
}

/** Any of thousands, such as devices: the list is cut, and typing finds the others. */
export function ManyInput({ field, label, hint, options, placeholder }: ManyInputProps) {
  return (
    <FilterMany
      fullWidth
      label={label}
      hint={hint}
      placeholder={placeholder}
      problem={field.problem}
      disabled={field.disabled}
      options={options}
      value={field.value.map((value) => optionOf(options, value))}
      onChange={(next) => field.onChange(next.map(({ value }) => value))}
      keyOf={({ value }) => value}
      labelOf={({ label: text }) => text}
    />
  );
}
