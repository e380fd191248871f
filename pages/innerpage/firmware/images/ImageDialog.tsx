import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFirmwareImage, changeFirmwareImage } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_PARTS } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { UploadField } from '../../../../shared/ui/upload/UploadField.tsx';
import { useUpload } from '../../../../shared/ui/upload/useUpload.ts';
import { usePartTexts } from '../words/imageTexts.ts';
import { ImageConflict } from './ImageConflict.tsx';
import { checkImage, contentOfDraft, draftOfImage, type ImageDraft, NEW_IMAGE } from './imageForm.ts';
import { useImageTexts } from './useImageTexts.ts';

export interface ImageDialogProps {
  /** Undefined: a new one. */
  readonly opened: FirmwareImage | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function ImageDialog({ opened, onSaved, onClose }: ImageDialogProps) {
  const { t } = useTranslation('Firmware');
  const texts = useImageTexts();
  const [image, setImage] = useState(opened);
  const isNew = image === undefined;
  const form = useForm<ImageDraft>({
    initial: image === undefined ? NEW_IMAGE : draftOfImage(image),
    check: (draft) => checkImage(draft, isNew, texts),
  });
  const file = form.field('upload');
  const upload = useUpload('firmware', file.onChange);
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfDraft(draft);
      return image === undefined
        ? addFirmwareImage({ ...content, upload: draft.upload })
        : changeFirmwareImage(image.id, { ...content, version: image.version });
    });
    if (saved === undefined) return;
    upload.release();
    onSaved();
  };
  return (
    <FormDialog
      title={image === undefined ? t('Add image') : t('Image {{name}}', { name: image.name })}
      form={form}
      always={isNew}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {isNew && (
        <UploadField
          upload={upload}
          problem={file.problem}
          hint={t('At most 512 MiB. Sent in packages, an image has at most 65,535 of them.')}
          disabled={file.disabled}
        />
      )}
      <ImageFields form={form} />
      <ImageConflict form={form} onImage={setImage} />
    </FormDialog>
  );
}

function ImageFields({ form }: { readonly form: Form<ImageDraft> }) {
  const { t } = useTranslation('Firmware');
  const parts = usePartTexts();
  return (
    <>
      <Box sx={COLUMNS}>
        <TextInput field={form.field('name')} label={t('Name')} required maxLength={100} />
        <TextInput
          field={form.field('firmwareVersion')}
          label={t('Version')}
          hint={t('As terminals report it after the update.')}
          required
          verbatim
          maxLength={60}
        />
        <SelectInput
          field={form.field('part')}
          label={t('Part')}
          options={FIRMWARE_PARTS.map((value) => ({ value, label: parts[value] }))}
        />
      </Box>
      <TextInput
        field={form.field('models')}
        label={t('Models')}
        hint={t('Separated by commas. * stands for any characters: MDVR-8*')}
        required
        verbatim
      />
      <Box sx={COLUMNS}>
        <TextInput
          field={form.field('vendor')}
          label={t('Manufacturer ID')}
          hint={t('As terminals report it. Leave empty for any.')}
          verbatim
          maxLength={20}
        />
        <TextInput
          field={form.field('hardwareVersion')}
          label={t('Hardware version')}
          hint={t('Leave empty for any.')}
          verbatim
          maxLength={60}
        />
        <TextInput
          field={form.field('minimumVersion')}
          label={t('Minimum installed version')}
          hint={t('Leave empty for any.')}
          verbatim
          maxLength={60}
        />
      </Box>
      <TextInput field={form.field('notes')} label={t('Notes')} rows={3} maxLength={2_000} />
    </>
  );
}
