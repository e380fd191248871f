import { FilterMany } from '../table/FilterMany.tsx';
import type { Option } from './SelectInput.tsx';
import { selectedOptions } from './selectedOptions.ts';
import type { Field } from './useForm.ts';

export interface ManyInputProps {
  readonly field: Field<readonly string[]>;
  readonly label: string;
  readonly options: readonly Option<string>[];
  readonly hint?: string | undefined;
  /** What none chosen stands for: all unless said, '' for none. */
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** Any of many, such as thousands of devices: the list is cut, and typing finds the others. */
export function ManyInput({ field, label, options, hint, placeholder, disabled = false }: ManyInputProps) {
  return (
    <FilterMany
      fullWidth
      name={field.name}
      label={label}
      hint={hint}
      placeholder={placeholder}
      problem={field.problem}
      disabled={field.disabled || disabled}
      options={options}
      value={selectedOptions(options, field.value)}
      onChange={(next) => field.onChange(next.map(({ value }) => value))}
      onBlur={field.onBlur}
      keyOf={({ value }) => value}
      labelOf={({ label: text }) => text}
    />
  );
}
