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
        return t('Server playback');
      case 'remote':
        return t('Device playback');
      case 'export':
        return t('Recording export');
      case 'control':
        return t('PTZ and talk');
    }
  };
}

export function useStateName(): (state: LinkState) => string {
  const { t } = useTranslation('Links');
  return (state) => {
    switch (state) {
      case 'active':
        return t('Active');
      case 'expired':
        return t('Expired');
      case 'revoked':
        return t('Revoked');
    }
  };
}
