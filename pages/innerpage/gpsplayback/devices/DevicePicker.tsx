import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { MAX_TRACK_DEVICES } from '../../../../shared/protocol/api/tracks/track.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { withDevice, withoutDevice } from '../view/playbackAddress.ts';
import { changeView } from '../view/usePlaybackView.ts';
import { deviceChoices, nameOf } from './deviceChoices.ts';
import { recentDevices, rememberDevice } from './recentDevices.ts';

export interface DevicePickerProps {
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly chosenIds: readonly string[];
  readonly onClose: () => void;
}

/** Chooses up to eight of the devices; each choice shows at once. */
export function DevicePicker({ devices, chosenIds, onClose }: DevicePickerProps) {
  const { t } = useTranslation(['GpsPlayback', 'Common']);
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState(0);
  // The recent devices are read when the list opens: a device doesn't move away under the pointer that selects it.
  const [recent] = useState(recentDevices);
  const choices = useMemo(
    () => deviceChoices(devices.values(), { search, group, recent }),
    [devices, search, group, recent],
  );
  const groups = useMemo(() => optionsOf(devices.values(), groupOption), [devices]);
  const isNarrow = useIsNarrow();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" fullScreen={isNarrow}>
      <DialogTitle>{t('Devices')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 1.5, overflow: 'hidden' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, pt: 1 }}>
          <TextField
            autoFocus
            type="search"
            label={t('Search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            sx={{ flex: '2 1 180px' }}
          />
          <TextField
            select
            label={t('Group')}
            value={group}
            onChange={(event) => setGroup(Number(event.target.value))}
            sx={{ flex: '1 1 140px' }}
          >
            <MenuItem value={0}>{t('All groups')}</MenuItem>
            {groups.map(({ value, label }) => (
              <MenuItem key={value} value={Number(value)}>
                {label}
              </MenuItem>
            ))}
          </TextField>
        </Box>
        <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {chosenIds.length >= MAX_TRACK_DEVICES
            ? t('{{number}} devices are chosen, and no more can be shown at once.', { number: chosenIds.length })
            : t('Devices: {{number}}', { number: choices.length })}
        </Box>
        <Choices choices={choices} chosenIds={chosenIds} recent={recent} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('Close', { ns: 'Common' })}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface ChoicesProps {
  readonly choices: readonly LiveDevice[];
  readonly chosenIds: readonly string[];
  readonly recent: readonly string[];
}

function Choices({ choices, chosenIds, recent }: ChoicesProps) {
  const { t } = useTranslation('GpsPlayback');
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const rows = useVirtualizer({
    count: choices.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PIXELS,
    overscan: 6,
  });
  const toggle = (id: string, isChosen: boolean) => {
    if (!isChosen) rememberDevice(id);
    changeView((view) => (isChosen ? withoutDevice(view, id) : withDevice(view, id)));
  };
  const isFull = chosenIds.length >= MAX_TRACK_DEVICES;
  return (
    <Box ref={setScroller} role="group" aria-label={t('Devices')} sx={{ height: 320, overflowY: 'auto' }}>
      <Box sx={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const device = choices[index];
          if (device === undefined) return null;
          const isChosen = chosenIds.includes(device.id);
          return (
            <FormControlLabel
              key={device.id}
              disabled={isFull && !isChosen}
              control={<Checkbox size="small" checked={isChosen} onChange={() => toggle(device.id, isChosen)} />}
              label={
                <>
                  {nameOf(device)}
                  <Box component="span" sx={{ display: 'block', fontSize: 12, color: 'text.secondary' }}>
                    {aboutDevice(device, recent.includes(device.id) ? t('Recent') : '')}
                  </Box>
                </>
              }
              sx={{ ...ROW, top: start }}
            />
          );
        })}
      </Box>
    </Box>
  );
}

function aboutDevice({ plate, groupName }: LiveDevice, recent: string): string {
  return [plate, groupName, recent].filter((part) => part !== '').join(' · ');
}

const ROW_PIXELS = 48;
const ROW = { position: 'absolute', left: 0, right: 0, m: 0, height: ROW_PIXELS, lineHeight: 1.3 } as const;
