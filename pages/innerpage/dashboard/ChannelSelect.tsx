import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

export interface ChannelSelectProps {
  /** From 1. */
  readonly value: number;
  readonly count: number;
  readonly disabled?: boolean;
  readonly onChange: (channel: number) => void;
}

export function ChannelSelect({ value, count, disabled = false, onChange }: ChannelSelectProps) {
  const { t } = useTranslation('Dashboard');
  const channels = Array.from({ length: Math.max(1, count) }, (_, at) => at + 1);
  return (
    <TextField
      select
      label={t('Channel')}
      value={Math.min(value, channels.length)}
      disabled={disabled}
      onChange={(event) => onChange(Number(event.target.value))}
      sx={{ minWidth: 96 }}
    >
      {channels.map((channel) => (
        <MenuItem key={channel} value={channel}>
          {channel}
        </MenuItem>
      ))}
    </TextField>
  );
}
