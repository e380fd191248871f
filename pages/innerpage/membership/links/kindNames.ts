import { useTranslation } from 'react-i18next';
import type { LinkKind, LinkState } from '../../../../shared/protocol/api/links.ts';

/** What a link opens, in the user's language. */
export function useKindName(): (kind: LinkKind) => string {
  const { t } = useTranslation('Links');
  return (kind) => {
    switch (kind) {
      case 'live':
        return t('Live view');
      case 'playback':
        return t('Playback from the server');
      case 'remote':
        return t('Playback from the device');
      case 'export':
        return t('Saving recordings');
      case 'control':
        return t('Moving cameras and speaking');
    }
  };
}

export function useStateName(): (state: LinkState) => string {
  const { t } = useTranslation('Links');
  return (state) => {
    switch (state) {
      case 'active':
        return t('In force');
      case 'expired':
        return t('Ended');
      case 'revoked':
        return t('Revoked');
    }
  };
}
