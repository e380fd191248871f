import { useTranslation } from 'react-i18next';
import { MAX_CLIP_SECONDS } from '../../../../shared/protocol/api/eventTypes.ts';
import type { TypeTexts } from './typeForm.ts';

export function useTypeTexts(): TypeTexts {
  const { t } = useTranslation('EventDefine');
  return {
    noName: t('Enter a name.'),
    badSeconds: t('Enter a whole number from 0 to {{max}}.', { max: MAX_CLIP_SECONDS }),
    badId: t('Enter a number from 0 to 255, such as 0xE1 or 225.'),
    badOffset: t('Enter a whole number from 0 to {{max}}.', { max: 250 }),
    badNumber: t('Enter a number, such as 0x04 or 4.'),
    badMask: t('The mask is longer than the bytes. Enter a smaller one.'),
    badValue: t('The value has bits outside the mask and never matches.'),
  };
}
