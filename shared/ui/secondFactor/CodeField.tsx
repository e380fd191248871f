import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

export interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  /** False where another field comes first. */
  readonly autoFocus?: boolean;
}

/** The code of an authenticator app, which phones offer to fill in. */
export function CodeField({ value, onChange, problem, hint, autoFocus = true }: CodeFieldProps) {
  const { t } = useTranslation('SecondFactor');
  return (
    <TextField
      autoFocus={autoFocus}
      fullWidth
      label={t('Verification code')}
      name="code"
      autoComplete="one-time-code"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? hint}
      slotProps={{ htmlInput: { maxLength: 32, spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } }}
    />
  );
}
