import VideocamIcon from '@mui/icons-material/Videocam';
import VideocamOffIcon from '@mui/icons-material/VideocamOff';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';
import { type ChannelState, channelFacts } from './channelState.ts';

/** The device's cameras, one by one. Whether one gives a picture is known while the device is online. */
export function ChannelChips({ details, isOnline }: { readonly details: DeviceDetails; readonly isOnline: boolean }) {
  const { t } = useTranslation('Dashboard');
  const texts: Record<ChannelState, string> = {
    live: isOnline ? t('Video available') : t('Installed'),
    withheld: t('Withheld by the data plan'),
    lost: t('Video loss'),
    absent: t('No camera'),
  };
  return (
    <Box component="ul" aria-label={t('Channels')} sx={LIST}>
      {channelFacts(details).map(({ channel, state }) => (
        <Box
          component="li"
          key={channel}
          data-channel-state={state}
          title={texts[state]}
          sx={{ ...CHIP, ...LOOKS[state] }}
        >
          {state === 'live' ? (
            <VideocamIcon sx={{ fontSize: 15 }} titleAccess={texts[state]} />
          ) : (
            <VideocamOffIcon sx={{ fontSize: 15 }} titleAccess={texts[state]} />
          )}
          {channel}
        </Box>
      ))}
    </Box>
  );
}

const LIST = { display: 'flex', flexWrap: 'wrap', gap: 0.5, listStyle: 'none', m: 0, p: 0 } as const;
const CHIP = {
  display: 'flex',
  alignItems: 'center',
  gap: 0.5,
  px: 0.75,
  py: 0.25,
  fontSize: 13,
  borderRadius: 1,
  border: 1,
} as const;
const LOOKS = {
  live: { borderColor: 'divider', color: 'text.primary' },
  withheld: { borderColor: 'warning.main', color: 'text.secondary' },
  lost: { borderColor: 'warning.main', color: 'warning.main' },
  absent: { borderColor: 'divider', color: 'text.secondary', borderStyle: 'dashed' },
} as const;
