import { useTranslation } from 'react-i18next';
import type { RecordFields } from '../../../../shared/ui/form/recordFields.ts';
import { useMethodTexts, usePacingTexts } from '../words/imageTexts.ts';
import type { ModelDraft } from './modelForm.ts';

/** The fields of a model, as its form and a conflict show them. */
export function useModelFields(): RecordFields<ModelDraft> {
  const { t } = useTranslation('Firmware');
  const methods = useMethodTexts();
  const pacings = usePacingTexts();
  return {
    pattern: { label: t('Model'), show: ({ pattern }) => pattern },
    method: { label: t('Method'), show: ({ method }) => methods[method] },
    manufacturerBytes: { label: t('Manufacturer ID length'), show: ({ manufacturerBytes }) => manufacturerBytes },
    pacing: { label: t('Pacing'), show: ({ pacing }) => pacings[pacing] },
    window: { label: t('Packages in flight'), show: ({ window }) => String(window ?? '') },
    intervalMs: { label: t('Interval (ms)'), show: ({ intervalMs }) => String(intervalMs ?? '') },
    template: { label: t('Command text'), show: ({ template }) => template },
    passthroughType: { label: t('Message type'), show: ({ passthroughType }) => String(passthroughType ?? '') },
  };
}
