import FormControl from '@mui/material/FormControl';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';
import { isLocale, LANGUAGES } from '../i18n/languages.ts';
import { chooseLanguage, currentLocale } from '../i18n/start.ts';

const MIN_WIDTH_PX = 140;

/** The three languages, each named in itself. A choice holds for all pages of this browser. */
export function LanguageSelect() {
  const { t } = useTranslation('TopBar');
  return (
    <FormControl size="small" sx={{ minWidth: MIN_WIDTH_PX, flexShrink: 0 }}>
      <NativeSelect
        input={<OutlinedInput />}
        inputProps={{ 'aria-label': t('Language') }}
        value={currentLocale()}
        onChange={(event) => choose(event.target.value)}
      >
        {LANGUAGES.map(({ locale, name, tag }) => (
          <option key={locale} value={locale} lang={tag}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </FormControl>
  );
}

function choose(value: string): void {
  if (isLocale(value)) void chooseLanguage(value);
}
