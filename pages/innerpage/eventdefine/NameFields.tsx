import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { MAX_EVENT_NAME } from '../../../shared/protocol/api/eventTypes.ts';
import { type GivenNames, shownName } from '../../../shared/protocol/events/givenNames.ts';
import { TextInput } from '../../../shared/ui/form/TextInput.tsx';
import type { Field } from '../../../shared/ui/form/useForm.ts';
import { COLUMNS } from './layout.ts';
import type { BuiltInName } from './names.ts';

export interface NameFieldsProps {
  readonly names: GivenNames;
  readonly field: (name: keyof GivenNames) => Field<string>;
  /** Undefined where an administrator has to give a name. */
  readonly builtIn: BuiltInName | undefined;
}

/** An empty field shows what is seen in that language as long as nothing is entered. */
export function NameFields({ names, field, builtIn }: NameFieldsProps) {
  const { t } = useTranslation('EventDefine');
  const nameIn = (locale: 'en' | 'zh-TW' | 'jp') => shownName(names, locale, builtIn?.(locale) ?? '');
  const hint = builtIn === undefined ? t('Used in languages without a name.') : t('Leave empty for the built-in name.');
  return (
    <Box sx={COLUMNS}>
      <TextInput
        field={field('nameEn')}
        label={t('Name (English)')}
        placeholder={nameIn('en')}
        hint={hint}
        required={builtIn === undefined}
        autoFocus
        maxLength={MAX_EVENT_NAME}
      />
      <TextInput
        field={field('nameZh')}
        label={t('Name (Chinese)')}
        placeholder={nameIn('zh-TW')}
        maxLength={MAX_EVENT_NAME}
      />
      <TextInput
        field={field('nameJp')}
        label={t('Name (Japanese)')}
        placeholder={nameIn('jp')}
        maxLength={MAX_EVENT_NAME}
      />
    </Box>
  );
}
