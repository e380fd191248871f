import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

export function RemotePlaybackPage(): ReactElement {
  const { t } = useTranslation('Player');
  return (
    <main>
      <h1 className="visually-hidden">{t('Playback')}</h1>
      <p className="page-notice">{t('Recordings kept on the device will be played here.')}</p>
    </main>
  );
}
