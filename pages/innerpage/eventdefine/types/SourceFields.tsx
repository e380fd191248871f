import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CustomForm, CustomSource } from '../../../../shared/protocol/events/customSource.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { BYTE_WIDTHS, comparesBytes } from './sourceForm.ts';
import type { TypeDraft } from './typeForm.ts';

/** Which report of a terminal raises the type. */
export function SourceFields({ form }: { readonly form: Form<TypeDraft> }) {
  const { t } = useTranslation('EventDefine');
  const kindName = useKindName();
  const formName = useFormName();
  const isItem = form.values.sourceKind === 'position-item';
  const kinds = ['position-item', 'passthrough'] as const;
  return (
    <Section title={t('Detection')}>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('sourceKind')}
          label={t('Terminal report')}
          options={kinds.map((value) => ({ value, label: kindName(value) }))}
        />
        <TextInput
          field={form.field('sourceId')}
          label={isItem ? t('Item ID') : t('Passthrough type')}
          hint={t("As in the terminal's protocol.")}
          placeholder="0xE1"
          required
          verbatim
        />
        {isItem && (
          <SelectInput
            field={form.field('form')}
            label={t('Duration')}
            options={(['held', 'momentary'] as const).map((value) => ({ value, label: formName(value) }))}
          />
        )}
      </Box>
      {!isItem && <SwitchInput field={form.field('hasMatch')} label={t('Only with a certain value')} />}
      {comparesBytes(form.values) && <MatchFields form={form} />}
    </Section>
  );
}

function MatchFields({ form }: { readonly form: Form<TypeDraft> }) {
  const { t } = useTranslation('EventDefine');
  return (
    <Box sx={NARROW_COLUMNS}>
      <NumberInput field={form.field('offset')} label={t('Offset')} hint={t('Bytes before the value.')} required />
      <SelectInput
        field={form.field('width')}
        label={t('Bytes')}
        options={BYTE_WIDTHS.map((value) => ({ value, label: value }))}
      />
      <TextInput field={form.field('mask')} label={t('Mask')} hint={t('Bits to compare.')} required verbatim />
      <TextInput field={form.field('value')} label={t('Value')} required verbatim />
    </Box>
  );
}

const NARROW_COLUMNS = {
  ...COLUMNS,
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(130px, 100%), 1fr))',
} as const;

export function useKindName(): (kind: CustomSource['kind']) => string {
  const { t } = useTranslation('EventDefine');
  const names = { 'position-item': t('Position item'), passthrough: t('Passthrough message') };
  return (kind) => names[kind];
}

export function useFormName(): (form: CustomForm) => string {
  const { t } = useTranslation('EventDefine');
  const names = { held: t('While reported'), momentary: t('Single moment') };
  return (form) => names[form];
}
