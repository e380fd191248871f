import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFirmwareModel, changeFirmwareModel } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareModel } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_METHODS } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useTerminalTextHint } from '../../../../shared/ui/form/text/useTerminalTextHint.ts';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { useMethodHints, useMethodTexts, usePacingTexts } from '../words/imageTexts.ts';
import { useRangeText } from '../words/rangeText.ts';
import { ModelConflict } from './ModelConflict.tsx';
import {
  checkModel,
  contentOfDraft,
  draftOfModel,
  type ModelDraft,
  NEW_MODEL,
  PACINGS,
  usesTemplate,
} from './modelForm.ts';

export interface ModelDialogProps {
  /** Undefined: a new one. */
  readonly opened: FirmwareModel | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function ModelDialog({ opened, onSaved, onClose }: ModelDialogProps) {
  const { t } = useTranslation('Firmware');
  const range = useRangeText();
  const texts = {
    noPattern: t('Enter a model.'),
    noTemplate: t('Enter the text that the terminal is sent.'),
    noUrl: t('The text must contain {url}, where the terminal downloads the image.'),
    range,
  };
  const [model, setModel] = useState(opened);
  const form = useForm<ModelDraft>({
    initial: model === undefined ? NEW_MODEL : draftOfModel(model),
    check: (draft) => checkModel(draft, texts),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfDraft(draft);
      return model === undefined
        ? addFirmwareModel(content)
        : changeFirmwareModel(model.id, { ...content, version: model.version });
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={model === undefined ? t('Add model') : t('Model {{name}}', { name: model.pattern })}
      form={form}
      always={model === undefined}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <ModelFields form={form} />
      <ModelConflict form={form} onModel={setModel} />
    </FormDialog>
  );
}

function ModelFields({ form }: { readonly form: Form<ModelDraft> }) {
  const { t } = useTranslation('Firmware');
  const methods = useMethodTexts();
  const hints = useMethodHints();
  const hintOf = useTerminalTextHint();
  const { method, template } = form.values;
  return (
    <>
      <TextInput
        field={form.field('pattern')}
        label={t('Model')}
        hint={t('As terminals report it; * stands for any characters. The longest entry that fits counts.')}
        required
        verbatim
        maxLength={60}
      />
      <SelectInput
        field={form.field('method')}
        label={t('Method')}
        hint={hints[method]}
        options={FIRMWARE_METHODS.map((value) => ({ value, label: methods[value] }))}
      />
      {method === 'packages' && <PackageFields form={form} />}
      {usesTemplate(method) && (
        <TextInput
          field={form.field('template')}
          label={t('Command text')}
          hint={hintOf(template, t('Variables: {url}, {version}, {bytes}, {sha256}'))}
          required
          verbatim
          rows={3}
          maxLength={500}
        />
      )}
      {method === 'passthrough' && (
        <NumberInput
          field={form.field('passthroughType')}
          label={t('Message type')}
          hint={t("The type of the manufacturer's message, 0–255.")}
          required
        />
      )}
    </>
  );
}

function PackageFields({ form }: { readonly form: Form<ModelDraft> }) {
  const { t } = useTranslation('Firmware');
  const pacings = usePacingTexts();
  return (
    <Box sx={COLUMNS}>
      <SelectInput
        field={form.field('manufacturerBytes')}
        label={t('Manufacturer ID length')}
        hint={t('The standard has 5 bytes. Some terminals of 2019 expect 11.')}
        options={[
          { value: '5', label: t('5 bytes') },
          { value: '11', label: t('11 bytes') },
        ]}
      />
      <SelectInput
        field={form.field('pacing')}
        label={t('Pacing')}
        hint={t('By time suits terminals that acknowledge only the last package.')}
        options={PACINGS.map((value) => ({ value, label: pacings[value] }))}
      />
      {form.values.pacing === 'acknowledged' ? (
        <NumberInput
          field={form.field('window')}
          label={t('Packages in flight')}
          hint={t('Sent before the first of them is acknowledged. Enter 1 for terminals that lose packages.')}
          required
        />
      ) : (
        <NumberInput
          field={form.field('intervalMs')}
          label={t('Interval (ms)')}
          hint={t('Between two packages of 1 kB. At 50 ms, 10 MB take about 8 minutes.')}
          required
        />
      )}
    </Box>
  );
}
