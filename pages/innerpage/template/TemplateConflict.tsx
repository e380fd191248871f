import { useTranslation } from 'react-i18next';
import { readRecord } from '../../../shared/api/readRecord.ts';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { Template } from '../../../shared/protocol/api/notify/templates.ts';
import { ConflictDialog, type ConflictField } from '../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../shared/ui/form/useForm.ts';
import { draftOf, type TemplateDraft, textField } from './templateForm.ts';

export interface TemplateConflictProps {
  readonly form: Form<TemplateDraft>;
  readonly onVersion: (version: number) => void;
}

/** Another administrator has saved the template first. */
export function TemplateConflict({ form, onVersion }: TemplateConflictProps) {
  const fields = useConflictFields();
  if (form.conflict === undefined) return null;
  const theirs = readRecord(Template, form.conflict);
  return (
    <ConflictDialog
      versions={{ base: form.base, mine: form.values, theirs: draftOf(theirs) }}
      fields={fields}
      onChoose={(values) => {
        onVersion(theirs.version);
        form.rebase(draftOf(theirs), values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(): readonly ConflictField<TemplateDraft>[] {
  const { t } = useTranslation('Template');
  const nameOf = (locale: string) => LANGUAGES.find((language) => language.locale === locale)?.name ?? locale;
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'fallback', label: t('Fallback language'), show: ({ fallback }) => nameOf(fallback) },
    ...LANGUAGES.flatMap(({ locale, name: language }) => {
      const [subject, body] = [textField(locale, 'subject'), textField(locale, 'body')];
      return [
        {
          name: subject,
          label: t('Subject ({{language}})', { language }),
          show: (draft: TemplateDraft) => draft[subject],
        },
        { name: body, label: t('Text ({{language}})', { language }), show: (draft: TemplateDraft) => draft[body] },
      ];
    }),
  ];
}
