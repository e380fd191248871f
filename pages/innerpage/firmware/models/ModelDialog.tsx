import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { firmwareModels } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareModel } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_METHODS } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { type OpenedRecord, RecordDialog, type RecordInputs } from '../../../../shared/ui/form/RecordDialog.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useTerminalTextHint } from '../../../../shared/ui/form/text/useTerminalTextHint.ts';
import { useMethodHints, useMethodTexts, usePacingTexts } from '../words/imageTexts.ts';
import { useRangeText } from '../words/rangeText.ts';
import {
  checkModel,
  contentOfDraft,
  draftOfModel,
  type ModelDraft,
  NEW_MODEL,
  PACINGS,
  usesTemplate,
} from './modelForm.ts';
import { useModelFields } from './useModelFields.ts';

export function ModelDialog(opened: OpenedRecord<FirmwareModel>) {
  const { t } = useTranslation('Firmware');
  const range = useRangeText();
  const texts = {
    noPattern: t('Enter a model.'),
    noTemplate: t('Enter the text that the terminal is sent.'),
    noUrl: t('The text must contain {url}, where the terminal downloads the image.'),
    range,
  };
  const kind = {
    client: firmwareModels,
    fields: useModelFields(),
    draftOf: draftOfModel,
    contentOf: contentOfDraft,
    check: (draft: ModelDraft) => checkModel(draft, texts),
  };
  return (
    <RecordDialog
      {...opened}
      kind={kind}
      blank={NEW_MODEL}
      titleOf={(model) => (model === undefined ? t('Add model') : t('Model {{name}}', { name: model.pattern }))}
    >
      {(inputs) => <ModelFields {...inputs} />}
    </RecordDialog>
  );
}

function ModelFields({ form, input }: RecordInputs<ModelDraft>) {
  const { t } = useTranslation('Firmware');
  const methods = useMethodTexts();
  const hints = useMethodHints();
  const hintOf = useTerminalTextHint();
  const { method, template } = form.values;
  return (
    <>
      <TextInput
        {...input('pattern')}
        hint={t('As terminals report it; * stands for any characters. The longest entry that fits counts.')}
        required
        verbatim
        maxLength={60}
      />
      <SelectInput
        {...input('method')}
        hint={hints[method]}
        options={FIRMWARE_METHODS.map((value) => ({ value, label: methods[value] }))}
      />
      {method === 'packages' && <PackageFields form={form} input={input} />}
      {usesTemplate(method) && (
        <TextInput
          {...input('template')}
          hint={hintOf(template, t('Variables: {url}, {version}, {bytes}, {sha256}'))}
          required
          verbatim
          rows={3}
          maxLength={500}
        />
      )}
      {method === 'passthrough' && (
        <NumberInput
          {...input('passthroughType')}
          hint={t("The type of the manufacturer's message, 0–255.")}
          required
        />
      )}
    </>
  );
}

function PackageFields({ form, input }: Pick<RecordInputs<ModelDraft>, 'form' | 'input'>) {
  const { t } = useTranslation('Firmware');
  const pacings = usePacingTexts();
  return (
    <Box sx={COLUMNS}>
      <SelectInput
        {...input('manufacturerBytes')}
        hint={t('The standard has 5 bytes. Some terminals of 2019 expect 11.')}
        options={[
          { value: '5', label: t('5 bytes') },
          { value: '11', label: t('11 bytes') },
        ]}
      />
      <SelectInput
        {...input('pacing')}
        hint={t('By time suits terminals that acknowledge only the last package.')}
        options={PACINGS.map((value) => ({ value, label: pacings[value] }))}
      />
      {form.values.pacing === 'acknowledged' ? (
        <NumberInput
          {...input('window')}
          hint={t('Sent before the first of them is acknowledged. Enter 1 for terminals that lose packages.')}
          required
        />
      ) : (
        <NumberInput
          {...input('intervalMs')}
          hint={t('Between two packages of 1 kB. At 50 ms, 10 MB take about 8 minutes.')}
          required
        />
      )}
    </Box>
  );
}
