// Where vehicles were, on one clock with what their cameras saw. The address contains what is shown.
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveFleet } from '../../../shared/live/pageLive.ts';
import { ClockContext, useOwnClock } from './clock/useClock.ts';
import { DeviceChips } from './devices/DeviceChips.tsx';
import { DevicePicker } from './devices/DevicePicker.tsx';
import { StartMap } from './map/StartMap.tsx';
import { Playback } from './Playback.tsx';
import { useShownDevices } from './tracks/useShownDevices.ts';
import { PeriodFields } from './view/PeriodFields.tsx';
import { withDevice } from './view/playbackAddress.ts';
import { changeView, usePlaybackView } from './view/usePlaybackView.ts';

export function GpsPlayback({ permissions }: { readonly permissions: readonly string[] }) {
  const { t, i18n } = useTranslation('GpsPlayback');
  const fleet = useLiveFleet();
  const clock = useOwnClock();
  const { view, span, renew } = usePlaybackView();
  const devices = useShownDevices(view.deviceIds, fleet.devices);
  const [isPicking, setPicking] = useState(false);
  const tools = (
    <>
      <DeviceChips
        view={view}
        devices={fleet.devices}
        colors={devices.map(({ color }) => color)}
        onPick={() => setPicking(true)}
      />
      <PeriodFields view={view} span={span} />
    </>
  );
  return (
    <>
      {view.chosenId === '' && (
        <>
          <Box sx={TOOLS}>{tools}</Box>
          <Box sx={{ color: 'text.secondary' }}>{t('Choose a device to see where it was.')}</Box>
          <StartMap
            // The map's own words are given to it once.
            key={i18n.language}
            devices={fleet.devices}
            onSelect={(deviceId) => changeView((before) => withDevice(before, deviceId))}
            onTogether={() => setPicking(true)}
          />
        </>
      )}
      {view.chosenId !== '' && clock !== undefined && (
        <ClockContext value={clock}>
          <Playback
            tools={tools}
            devices={devices}
            view={view}
            span={span}
            isOnline={fleet.devices.get(view.chosenId)?.state === 'online'}
            permissions={permissions}
            onRenew={renew}
          />
        </ClockContext>
      )}
      {/* Stays while the first device is chosen, which brings all else. */}
      {isPicking && (
        <DevicePicker devices={fleet.devices} chosenIds={view.deviceIds} onClose={() => setPicking(false)} />
      )}
    </>
  );
}

const TOOLS = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 } as const;
