import { useTranslation } from 'react-i18next';
import { readFirmwareImage } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { usePartTexts } from '../words/imageTexts.ts';
import { draftOfImage, type ImageDraft } from './imageForm.ts';

export interface ImageConflictProps {
  readonly form: Form<ImageDraft>;
  /** The image as it is by now. */
  readonly onImage: (image: FirmwareImage) => void;
}

/** Another member saved the image first. */
export function ImageConflict({ form, onImage }: ImageConflictProps) {
  const fields = useConflictFields();
  if (form.conflict === undefined) return null;
  const image = readFirmwareImage(form.conflict);
  const theirs = draftOfImage(image);
  return (
    <ConflictDialog<ImageDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onImage(image);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(): readonly ConflictField<ImageDraft>[] {
  const { t } = useTranslation('Firmware');
  const parts = usePartTexts();
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'firmwareVersion', label: t('Version'), show: ({ firmwareVersion }) => firmwareVersion },
    { name: 'part', label: t('Part'), show: ({ part }) => parts[part] },
    { name: 'models', label: t('Models'), show: ({ models }) => models },
    { name: 'vendor', label: t('Manufacturer ID'), show: ({ vendor }) => vendor },
    { name: 'hardwareVersion', label: t('Hardware version'), show: ({ hardwareVersion }) => hardwareVersion },
    { name: 'minimumVersion', label: t('Minimum installed version'), show: ({ minimumVersion }) => minimumVersion },
    { name: 'notes', label: t('Notes'), show: ({ notes }) => notes },
  ];
}
