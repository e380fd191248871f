import './remoteProgress.css';
import i18next from 'i18next';
import { type ReactElement, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../shared/api/client.ts';
import { errorText } from '../../shared/i18n/errorText.ts';
import { pageFailureText } from '../../shared/player/page/pageView.ts';
import type { RemotePlay } from './remotePlay.ts';
import type { RemoteFailure } from './remoteView.ts';

export function remoteFailureText(error: RemoteFailure): string | undefined {
  return error.kind === 'play' ? playFailureText(error.failure) : pageFailureText(error);
}

/** The state of a device that is asked again: over the picture, which stays. */
export function RemoteProgress({ remote }: { readonly remote: RemotePlay }): ReactElement | null {
  // The others are named so that they are loaded: the text is then rendered again.
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
          {playFailureText(state.failure)}
        </p>
      );
  }
}

function playFailureText(failure: ApiFailure): string | undefined {
  return failure.kind === 'network' ? i18next.t('connect failed', { ns: 'Common' }) : errorText(failure);
}
