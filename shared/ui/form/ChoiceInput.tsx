import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { useId } from 'react';
import type { Option } from './SelectInput.tsx';
import type { Field } from './useForm.ts';

export interface ChoiceInputProps<Value extends string> {
  readonly field: Field<readonly Value[]>;
  readonly label: string;
  /** In the order in which the chosen ones are given. */
  readonly options: readonly Option<Value>[];
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Many with long names stand in columns, few beside one another. */
  readonly inColumns?: boolean;
}

/** Any of a few, each with its own box. */
export function ChoiceInput<Value extends string>(props: ChoiceInputProps<Value>) {
  const { field, label, options, hint, required = false, disabled = false, inColumns = false } = props;
  const textId = useId();
  const text = field.problem ?? hint;
  const toggle = (value: Value, on: boolean) => {
    const chosen = new Set(field.value);
    if (on) chosen.add(value);
    else chosen.delete(value);
    field.onChange(options.map((option) => option.value).filter((each) => chosen.has(each)));
  };
  return (
    <FormControl
      component="fieldset"
      variant="standard"
      error={field.problem !== undefined}
      disabled={field.disabled || disabled}
      onBlur={field.onBlur}
      aria-describedby={text === undefined ? undefined : textId}
    >
      <FormLabel component="legend" required={required} sx={{ fontSize: '0.85rem' }}>
        {label}
      </FormLabel>
      <FormGroup row sx={inColumns ? COLUMNS : { columnGap: 1 }}>
        {options.map(({ value, label: name }) => (
          <FormControlLabel
            key={value}
            label={name}
            control={
              <Checkbox
                size="small"
                name={field.name}
                checked={field.value.includes(value)}
                onChange={(_, on) => toggle(value, on)}
                slotProps={{ input: field.problem === undefined ? {} : { 'aria-invalid': true } }}
              />
            }
          />
        ))}
      </FormGroup>
      {text !== undefined && (
        <FormHelperText id={textId} sx={{ mx: 0 }}>
          {text}
        </FormHelperText>
      )}
    </FormControl>
  );
}

const COLUMNS = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(240px, 100%), 1fr))',
  columnGap: 1,
} as const;
