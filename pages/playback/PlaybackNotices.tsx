import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/errorText.ts';
import type { PlaybackError } from './playbackView.ts';

export function PlaybackLoading(): ReactElement {
  const { t } = useTranslation('Playback');
  return <div className="page-spinner" role="progressbar" aria-label={t('Loading')} />;
}

export function PlaybackAlert({ error }: { readonly error: PlaybackError }): ReactElement {
  // Errors is named for its arrival: the text is then made anew.
  const { t } = useTranslation(['Playback', 'Player', 'Errors']);
  return (
    <p className="page-alert" role="alert">
      {error.kind === 'link'
        ? t("Can't open this link. It may be incomplete or from another server. Ask for a new one.", { ns: 'Player' })
        : errorText(error.failure)}
    </p>
  );
}
