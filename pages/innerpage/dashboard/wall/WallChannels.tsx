import ArrowDownwardIcon from '@mui/icons-material/ArrowDownward';
import ArrowUpwardIcon from '@mui/icons-material/ArrowUpward';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WallChannel } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { ChannelSelect } from '../ChannelSelect.tsx';
import { EVERYTHING, filterDevices } from '../fleetFilter.ts';
import { channelKey, moved, withChannel } from './wallDraft.ts';

export interface WallChannelsProps {
  readonly field: Field<readonly WallChannel[]>;
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly limit: number;
}

/** More choices than this nobody reads through; the next word narrows them. */
const MAX_OFFERED = 50;

/** The channels of a wall, in the order of its places, and the way to add one. */
export function WallChannels({ field, devices, limit }: WallChannelsProps) {
  const { t } = useTranslation('Dashboard');
  const { value: channels, onChange } = field;
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: 1 }}>
      <Box component="legend" sx={{ fontSize: 14, fontWeight: 640, p: 0, mb: 1 }}>
        {t('Cameras ({{number}} of {{limit}})', { number: channels.length, limit })}
      </Box>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {channels.map((channel, at) => (
          <ChosenChannel
            key={channelKey(channel)}
            name={`${devices.get(channel.deviceid)?.name || channel.deviceid} · ch ${channel.channel}`}
            onUp={at === 0 ? undefined : () => onChange(moved(channels, at, -1))}
            onDown={at === channels.length - 1 ? undefined : () => onChange(moved(channels, at, 1))}
            onRemove={() => onChange(channels.toSpliced(at, 1))}
          />
        ))}
      </Box>
      <AddChannel
        devices={devices}
        disabled={field.disabled || channels.length >= limit}
        problem={field.problem}
        onAdd={(added) => onChange(withChannel(channels, added, limit))}
      />
    </Box>
  );
}

interface ChosenChannelProps {
  readonly name: string;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onRemove: () => void;
}

function ChosenChannel({ name, onUp, onDown, onRemove }: ChosenChannelProps) {
  const { t } = useTranslation('Dashboard');
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider', py: 0.25 }}
    >
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
      </Box>
      <IconButton
        size="small"
        disabled={onUp === undefined}
        onClick={onUp}
        aria-label={t('Move {{name}} earlier', { name })}
      >
        <ArrowUpwardIcon fontSize="small" />
      </IconButton>
      <IconButton
        size="small"
        disabled={onDown === undefined}
        onClick={onDown}
        aria-label={t('Move {{name}} later', { name })}
      >
        <ArrowDownwardIcon fontSize="small" />
      </IconButton>
      <IconButton size="small" onClick={onRemove} aria-label={t('Remove {{name}}', { name })}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </Box>
  );
}

interface AddChannelProps {
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly disabled: boolean;
  readonly problem: string | undefined;
  readonly onAdd: (channel: WallChannel) => void;
}

function AddChannel({ devices, disabled, problem, onAdd }: AddChannelProps) {
  const { t } = useTranslation('Dashboard');
  const [device, setDevice] = useState<LiveDevice | null>(null);
  const [channel, setChannel] = useState(1);
  const all = useMemo(() => [...devices.values()], [devices]);
  const count = Math.max(1, device?.chn ?? 1);
  const add = () => {
    if (device === null) return;
    onAdd({ deviceid: device.id, channel });
    // The next one is mostly the next camera of the same vehicle.
    setChannel(Math.min(count, channel + 1));
  };
  // Enter adds what was chosen; without a choice it is the form's, as everywhere.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented || device === null) return;
    event.preventDefault();
    add();
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }} onKeyDown={onKeyDown}>
      <Autocomplete
        options={all}
        value={device}
        disabled={disabled}
        sx={{ flex: '1 1 220px' }}
        getOptionLabel={({ name, id }) => name || id}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(left, right) => left.id === right.id}
        filterOptions={(options, { inputValue }) =>
          [...filterDevices(options, { ...EVERYTHING, search: inputValue })].slice(0, MAX_OFFERED)
        }
        noOptionsText={t('No results. Change the search or filters.')}
        onChange={(_event, chosen) => {
          setDevice(chosen);
          setChannel(1);
        }}
        renderInput={(params) => (
          <TextField {...params} label={t('Device')} error={problem !== undefined} helperText={problem} />
        )}
      />
      <ChannelSelect value={channel} count={count} disabled={disabled || device === null} onChange={setChannel} />
      <Button variant="outlined" disabled={disabled || device === null} onClick={add} sx={{ height: 40 }}>
        {t('Add')}
      </Button>
    </Box>
  );
}
