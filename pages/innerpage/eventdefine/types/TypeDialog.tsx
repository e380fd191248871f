import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addEventType, saveEventType } from '../../../../shared/api/eventTypes.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { NameFields } from '../NameFields.tsx';
import { builtInNameOfType } from '../names.ts';
import { useOtherLanguages } from '../useOtherLanguages.ts';
import { AnswerFields } from './AnswerFields.tsx';
import { LookFields } from './LookFields.tsx';
import { SourceFields } from './SourceFields.tsx';
import { TypeConflict } from './TypeConflict.tsx';
import { checkType, draftOfType, NEW_TYPE, type TypeDraft, typeOfDraft } from './typeForm.ts';
import type { TypeRow } from './typeRows.ts';
import { useTypeTexts } from './useTypeTexts.ts';

export interface TypeDialogProps {
  /** Undefined: a new one. */
  readonly type: TypeRow | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function TypeDialog({ type, onSaved, onClose }: TypeDialogProps) {
  const { t } = useTranslation('EventDefine');
  const texts = useTypeTexts();
  const [version, setVersion] = useState(type?.version ?? 0);
  useOtherLanguages('EventTypes');
  const isBuiltIn = type?.isBuiltIn === true;
  const form = useForm<TypeDraft>({
    initial: type === undefined ? NEW_TYPE : draftOfType(type),
    check: (draft) => checkType(draft, texts, isBuiltIn),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = typeOfDraft(draft, isBuiltIn);
      return type === undefined ? addEventType(content) : saveEventType({ code: type.code, version }, content);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={type === undefined ? t('Add event type') : t('Event type {{name}}', { name: type.name })}
      form={form}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <SwitchInput
        field={form.field('enabled')}
        label={t('Enabled')}
        hint={t('If off, no new events of this type are raised.')}
      />
      <Section title={t('Name')}>
        <NameFields
          names={form.values}
          field={(name) => form.field(name)}
          builtIn={type === undefined ? undefined : builtInNameOfType(type.code)}
        />
      </Section>
      {!isBuiltIn && <SourceFields form={form} />}
      <LookFields form={form} isBuiltIn={isBuiltIn} />
      <AnswerFields form={form} />
      <TypeConflict form={form} isBuiltIn={isBuiltIn} onVersion={setVersion} />
    </FormDialog>
  );
}
