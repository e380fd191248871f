import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

/** For browsers that play no sound before a gesture. */
export function SoundPrompt({ onUnlock }: { readonly onUnlock: () => void }): ReactElement {
  const { t } = useTranslation('Player');
  return (
    <button className="video-tile-prompt" type="button" onClick={onUnlock}>
      {t('Tap for sound')}
    </button>
  );
}
