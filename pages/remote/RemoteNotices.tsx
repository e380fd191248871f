import type { TFunction } from 'i18next';
import { type ReactElement, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/errorText.ts';
import type { RemotePlay } from './remotePlay.ts';
import type { RemoteError } from './remoteView.ts';

export function RemoteLoading(): ReactElement {
  const { t } = useTranslation('Common');
  return <div className="page-spinner" role="progressbar" aria-label={t('Loading')} />;
}

export function RemoteAlert({ error }: { readonly error: RemoteError }): ReactElement {
  // Errors is named for its arrival: the text is then made anew.
  const { t } = useTranslation(['Player', 'Common', 'Errors']);
  return (
    <p className="page-alert" role="alert">
      {alertText(error, t)}
    </p>
  );
}

/** How it stands with a device that is asked anew: over the picture, which stays. */
export function RemoteProgress({ remote }: { readonly remote: RemotePlay }): ReactElement | null {
  const { t } = useTranslation(['Player', 'Common', 'Errors']);
  const state = useSyncExternalStore(remote.subscribe, () => remote.state);
  switch (state.kind) {
    case 'settled':
      return null;
    case 'asking':
      return (
        <p className="remote-notice" role="status">
          {t('Requesting playback from the device…')}
        </p>
      );
    case 'failed':
      return (
        <p className="remote-notice" role="alert">
          {alertText({ kind: 'play', failure: state.failure }, t)}
        </p>
      );
  }
}

function alertText(error: RemoteError, t: TFunction<['Player', 'Common', 'Errors']>): string | undefined {
  switch (error.kind) {
    case 'link':
      return t("Can't open this link. It may be incomplete or from another server. Ask for a new one.", {
        ns: 'Player',
      });
    case 'lookup':
      return errorText(error.failure);
    case 'play':
      return error.failure.kind === 'network' ? t('connect failed', { ns: 'Common' }) : errorText(error.failure);
  }
}
