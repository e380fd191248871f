import Box from '@mui/material/Box';
import { memo, type ReactElement, useId } from 'react';
import type { Field } from '../../../../shared/ui/form/useForm.ts';

interface Swatch<Value extends string> {
  readonly value: Value;
  /** For screen readers, and under the pointer. */
  readonly label: string;
  readonly drawing: ReactElement;
}

export interface SwatchGroupProps<Value extends string> {
  readonly field: Field<Value>;
  readonly label: string;
  /** The same list while it shows the same: there are many, and each key that is typed in the form renders them. */
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
    <Box
      role="radiogroup"
      aria-labelledby={labelId}
      onChange={({ target }) => choose((target as HTMLInputElement).value)}
      onBlur={field.onBlur}
      sx={GROUP}
    >
      <Box id={labelId} sx={LABEL}>
        {label}
      </Box>
      {swatches.map((swatch) => (
        <SwatchRadio
          key={swatch.value}
          swatch={swatch}
          name={field.name}
          isChosen={swatch.value === field.value}
          disabled={field.disabled}
        />
      ))}
    </Box>
  );
}

interface SwatchRadioProps {
  readonly swatch: Swatch<string>;
  readonly name: string;
  readonly isChosen: boolean;
  readonly disabled: boolean;
}

const SwatchRadio = memo(function SwatchRadio({ swatch, name, isChosen, disabled }: SwatchRadioProps) {
  const { value, label, drawing } = swatch;
  return (
    <label title={label}>
      <input type="radio" aria-label={label} {...{ name, value, disabled }} checked={isChosen} onChange={HANDLED} />
      <span>{drawing}</span>
    </label>
  );
});

/** The group hears of it. */
const HANDLED = (): void => undefined;

const LABEL = { width: '100%', fontSize: '0.85rem', color: 'text.secondary' } as const;
const GROUP = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 0.5,
  '& label': { position: 'relative', width: 36, height: 36, cursor: 'pointer' },
  '& input': { position: 'absolute', inset: 0, m: 0, opacity: 0, cursor: 'inherit' },
  '& label > span': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    height: '100%',
    borderRadius: 1,
    border: '2px solid transparent',
  },
  '& input:checked + span': { borderColor: 'primary.main' },
  '& input:focus-visible + span': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
  '& input:disabled + span': { opacity: 0.5 },
} as const;
