import { useTranslation } from 'react-i18next';
import type { RuleOrigin } from '../../../../shared/protocol/api/eventConfig.ts';

/** `isHere`: the value was set in this place until now, so where the inherited one comes from isn't known. */
export function useOriginText(): (origin: RuleOrigin, isHere: boolean) => string {
  const { t } = useTranslation('EventConfig');
  return ({ kind, name }, isHere) => {
    if (isHere) return t('Inherited');
    switch (kind) {
      case 'default':
        return t('Default');
      case 'installation':
        return t('From installation');
      case 'group':
        // One that the user doesn't see has no name here.
        return name === '' ? t('From another group') : t('From group {{name}}', { name });
      case 'device':
        return t('From device');
    }
  };
}
