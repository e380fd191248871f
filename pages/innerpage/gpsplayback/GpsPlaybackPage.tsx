import { useTranslation } from 'react-i18next';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { GpsPlayback } from './GpsPlayback.tsx';

/** Every user has it: what it shows is the current member group's. */
export function GpsPlaybackPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('GPS Playback')} titleHidden fill>
      {(status) => <GpsPlayback permissions={status.permission} />}
    </Frame>
  );
}
