import AddIcon from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import type { PlaybackView } from '../view/playbackAddress.ts';
import { withoutDevice } from '../view/playbackAddress.ts';
import { changeView } from '../view/usePlaybackView.ts';
import { nameOf } from './deviceChoices.ts';

export interface DeviceChipsProps {
  readonly view: PlaybackView;
  readonly devices: ReadonlyMap<string, LiveDevice>;
  /** Colors in the order of the devices. */
  readonly colors: readonly string[];
  readonly onPick: () => void;
}

/** The devices on the clock. A press chooses the one whose lists, chart and video are shown. */
export function DeviceChips({ view, devices, colors, onPick }: DeviceChipsProps) {
  const { t } = useTranslation('GpsPlayback');
  return (
    <>
      <Button variant="outlined" startIcon={<AddIcon />} onClick={onPick} sx={{ height: 40 }}>
        {t('Devices')}
      </Button>
      {view.deviceIds.map((id, at) => {
        const name = nameOf(devices.get(id) ?? { id, name: '' });
        const isChosen = id === view.chosenId;
        return (
          <Chip
            key={id}
            icon={<Box component="span" sx={{ ...DOT, backgroundColor: colors[at] }} />}
            label={name}
            variant={isChosen ? 'filled' : 'outlined'}
            aria-pressed={isChosen}
            onClick={() => changeView((before) => ({ ...before, chosenId: id }))}
            onDelete={() => changeView((before) => withoutDevice(before, id))}
            sx={{ maxWidth: 220, fontWeight: isChosen ? 650 : 400 }}
          />
        );
      })}
    </>
  );
}

const DOT = { width: 12, height: 12, borderRadius: '50%', flexShrink: 0, ml: '8px !important' } as const;
