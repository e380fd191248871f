import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../../../shared/ui/form/useForm.ts';

export interface PresetFieldProps<Value> {
  /** Null: the preset holds. */
  readonly field: Field<Value | null>;
  readonly label: string;
  readonly preset: Value;
  readonly presetText: string;
  /** `hint` says what the preset is, and whether it holds. */
  readonly children: (field: Field<Value>, hint: string) => ReactNode;
}

/** An input of a setting that begins with its preset, and the way back to that. */
export function PresetField<Value>({ field, label, preset, presetText, children }: PresetFieldProps<Value>) {
  const { t } = useTranslation('Version');
  const isSet = field.value !== null;
  const hint = isSet
    ? t('Set here. Preset: {{preset}}', { preset: presetText })
    : t('Preset in use: {{preset}}', { preset: presetText });
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' }, gap: 1 }}>
      {children({ ...field, value: field.value ?? preset }, hint)}
      <Button
        size="small"
        disabled={!isSet || field.disabled}
        onClick={() => field.onChange(null)}
        aria-label={t('Reset {{name}} to preset', { name: label })}
        // A phone has no room for what can't be used.
        sx={{
          display: { xs: isSet ? 'inline-flex' : 'none', sm: 'inline-flex' },
          alignSelf: 'start',
          mt: { xs: 0, sm: 1.5 },
          justifySelf: 'start',
        }}
      >
        {t('Reset to preset')}
      </Button>
    </Box>
  );
}
