import { useTranslation } from 'react-i18next';
import { readFirmwareModel } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareModel } from '../../../../shared/protocol/api/firmware/images.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useMethodTexts, usePacingTexts } from '../words/imageTexts.ts';
import { draftOfModel, type ModelDraft } from './modelForm.ts';

export interface ModelConflictProps {
  readonly form: Form<ModelDraft>;
  /** The model as it is by now. */
  readonly onModel: (model: FirmwareModel) => void;
}

/** Another member saved the model first. */
export function ModelConflict({ form, onModel }: ModelConflictProps) {
  const fields = useConflictFields();
  if (form.conflict === undefined) return null;
  const model = readFirmwareModel(form.conflict);
  const theirs = draftOfModel(model);
  return (
    <ConflictDialog<ModelDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onModel(model);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(): readonly ConflictField<ModelDraft>[] {
  const { t } = useTranslation('Firmware');
  const methods = useMethodTexts();
  const pacings = usePacingTexts();
  return [
    { name: 'pattern', label: t('Model'), show: ({ pattern }) => pattern },
    { name: 'method', label: t('Method'), show: ({ method }) => methods[method] },
    {
      name: 'manufacturerBytes',
      label: t('Manufacturer ID length'),
      show: ({ manufacturerBytes }) => manufacturerBytes,
    },
    { name: 'pacing', label: t('Pacing'), show: ({ pacing }) => pacings[pacing] },
    { name: 'window', label: t('Packages in flight'), show: ({ window }) => String(window ?? '') },
    { name: 'intervalMs', label: t('Interval (ms)'), show: ({ intervalMs }) => String(intervalMs ?? '') },
    { name: 'template', label: t('Command text'), show: ({ template }) => template },
    {
      name: 'passthroughType',
      label: t('Message type'),
      show: ({ passthroughType }) => String(passthroughType ?? ''),
    },
  ];
}
