import { useTranslation } from 'react-i18next';
import type { ImageTexts } from './imageForm.ts';

export function useImageTexts(): ImageTexts {
  const { t } = useTranslation('Firmware');
  return {
    noName: t('Enter a name.'),
    noModel: t('Enter at least one model.'),
    manyModels: t('Enter at most 50 models.'),
    longModel: t('Use at most 60 characters for a model.'),
    noVersion: t('Enter the version that terminals report after the update.'),
    noFile: t('Select the image file, and wait until it is uploaded.'),
  };
}
