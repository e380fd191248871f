import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import Box from '@mui/material/Box';
import Collapse from '@mui/material/Collapse';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly name: string;
  readonly error?: string | undefined;
  /** Said below the field while nothing is wrong with it. */
  readonly hint?: string | undefined;
  readonly autoFocus?: boolean;
}

/** A password that can be shown, with a hint while Caps Lock is on. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, value, onChange, autoComplete, name, error, hint, autoFocus = false } = props;
  const { t } = useTranslation('Common');
  const [isShown, setShown] = useState(false);
  const [isCapsLock, setCapsLock] = useState(false);
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const toggle = (
    <InputAdornment position="end">
      <IconButton
        edge="end"
        size="small"
        aria-label={isShown ? t('Hide password') : t('Show password')}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <VisibilityOff fontSize="small" /> : <Visibility fontSize="small" />}
      </IconButton>
    </InputAdornment>
  );
  return (
    <Box>
      <TextField
        autoFocus={autoFocus}
        fullWidth
        label={label}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={look}
        onKeyUp={look}
        onBlur={() => setCapsLock(false)}
        error={error !== undefined}
        helperText={error ?? hint}
        slotProps={{
          input: { endAdornment: toggle },
          // Shown in clear, a password is still no word to correct or to remember.
          htmlInput: { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' },
        }}
      />
      <Collapse in={isCapsLock} unmountOnExit>
        <Box role="status" sx={{ pt: 0.5, px: 1.75, fontSize: 12, color: 'warning.main' }}>
          {t('Caps Lock is on.')}
        </Box>
      </Collapse>
    </Box>
  );
}
