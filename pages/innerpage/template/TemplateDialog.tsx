import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addTemplate, saveTemplate } from '../../../shared/api/notify/templates.ts';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { senderKindText } from '../../../shared/i18n/notifyWordText.ts';
import { currentLocale } from '../../../shared/i18n/start.ts';
import {
  MAX_TEMPLATE_NAME,
  type Template,
  type TemplateContent,
  type TemplatePresets,
} from '../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import { SENDER_KINDS } from '../../../shared/protocol/notify/notifyWords.ts';
import { COLUMNS } from '../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../shared/ui/form/FormDialog.tsx';
import { SelectInput } from '../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../shared/ui/form/useForm.ts';
import { presetTexts, startingTemplate } from './presetTexts.ts';
import { PreviewPart } from './preview/PreviewPart.tsx';
import { TemplateConflict } from './TemplateConflict.tsx';
import { checkTemplate, contentOf, draftOf, fieldsOf, type TemplateDraft } from './templateForm.ts';
import { TextsPart } from './texts/TextsPart.tsx';
import { useProblemTexts } from './useProblemTexts.ts';

/** `copy`: a new one with the texts of another. */
export type Opened = { readonly kind: 'new' } | { readonly kind: 'edit' | 'copy'; readonly template: Template };

export interface TemplateDialogProps {
  readonly opened: Opened;
  readonly presets: TemplatePresets;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function TemplateDialog({ opened, presets, onSaved, onClose }: TemplateDialogProps) {
  const { t } = useTranslation(['Template', 'NotifyWords']);
  const edited = opened.kind === 'edit' ? opened.template : undefined;
  const [version, setVersion] = useState(edited?.version ?? 0);
  const problemTexts = useProblemTexts();
  const [initial] = useState(() => initialContent(opened, presets, (name) => t('Copy of {{name}}', { name })));
  const [locale, setLocale] = useState<Locale>(initial.fallback);
  const form = useForm<TemplateDraft>({
    initial: draftOf(initial),
    check: (draft) => checkTemplate(draft, problemTexts),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOf(draft);
      return edited === undefined ? addTemplate(content) : saveTemplate({ id: edited.id, version }, content);
    });
    if (saved !== undefined) onSaved();
  };
  const changeKind = (kind: TemplateDraft['kind']) => {
    const isUntouched = sameTexts(form.values, presetTexts(presets, form.values.kind));
    form.change({ kind, ...(isUntouched ? fieldsOf(presetTexts(presets, kind)) : {}) });
  };
  return (
    <FormDialog
      title={edited === undefined ? t('Add template') : t('Template {{name}}', { name: edited.name })}
      form={form}
      always={edited === undefined}
      maxWidth="lg"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Box sx={COLUMNS}>
        <TextInput field={form.field('name')} label={t('Name')} required autoFocus maxLength={MAX_TEMPLATE_NAME} />
        <SelectInput
          field={{ ...form.field('kind'), onChange: changeKind }}
          label={t('Kind')}
          options={SENDER_KINDS.map((value) => ({ value, label: senderKindText(value) }))}
          hint={edited === undefined ? undefined : t("The kind can't be changed.")}
          disabled={edited !== undefined}
        />
        <SelectInput
          field={form.field('fallback')}
          label={t('Fallback language')}
          options={LANGUAGES.map(({ locale: value, name }) => ({ value, label: name }))}
          hint={t('Used for recipients whose language has no text here.')}
        />
      </Box>
      <Box sx={SIDES}>
        <TextsPart
          form={form}
          locale={locale}
          onLocale={setLocale}
          onStandard={() => form.change(fieldsOf(presetTexts(presets, form.values.kind)))}
        />
        <PreviewPart draft={form.values} locale={locale} />
      </Box>
      <TemplateConflict form={form} onVersion={setVersion} />
    </FormDialog>
  );
}

function initialContent(opened: Opened, presets: TemplatePresets, copyName: (name: string) => string): TemplateContent {
  if (opened.kind === 'new') return startingTemplate(presets, currentLocale());
  const { name, kind, fallback, texts } = opened.template;
  return { name: opened.kind === 'copy' ? copyName(name).slice(0, MAX_TEMPLATE_NAME) : name, kind, fallback, texts };
}

function sameTexts(draft: TemplateDraft, texts: TemplateContent['texts']): boolean {
  return Object.entries(fieldsOf(texts)).every(([field, text]) => draft[field as keyof TemplateDraft] === text);
}

const SIDES = {
  display: 'grid',
  gap: 3,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
  alignItems: 'start',
} as const;
