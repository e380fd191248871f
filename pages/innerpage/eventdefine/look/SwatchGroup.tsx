import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { type ReactElement, useId } from 'react';
import type { Field } from '../../../../shared/ui/form/useForm.ts';

export interface Swatch<Value extends string> {
  readonly value: Value;
  /** For screen readers, and under the pointer. */
  readonly label: string;
  readonly drawing: ReactElement;
}

export interface SwatchGroupProps<Value extends string> {
  readonly field: Field<Value>;
  readonly label: string;
  readonly swatches: readonly Swatch<Value>[];
}

/** One of many small drawings. */
export function SwatchGroup<Value extends string>({ field, label, swatches }: SwatchGroupProps<Value>) {
  const labelId = useId();
  const choose = (text: string) => {
    const swatch = swatches.find(({ value }) => value === text);
    if (swatch !== undefined) field.onChange(swatch.value);
  };
  return (
    <FormControl component="fieldset" variant="standard" disabled={field.disabled} sx={{ minWidth: 0 }}>
      <FormLabel id={labelId} component="legend" sx={{ fontSize: '0.85rem', mb: 0.5 }}>
        {label}
      </FormLabel>
      <RadioGroup
        row
        aria-labelledby={labelId}
        name={field.name}
        value={field.value}
        onChange={(_, value) => choose(value)}
        onBlur={field.onBlur}
        sx={{ gap: 0.5 }}
      >
        {swatches.map(({ value, label: name, drawing }) => (
          <Radio
            key={value}
            value={value}
            title={name}
            icon={drawing}
            checkedIcon={drawing}
            slotProps={{ input: { 'aria-label': name } }}
            sx={SWATCH}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

const SWATCH = {
  width: 36,
  height: 36,
  p: 0,
  borderRadius: 1,
  border: '2px solid transparent',
  '&.Mui-checked': { borderColor: 'primary.main' },
} as const;
