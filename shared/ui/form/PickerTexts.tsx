import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { LocalizationProvider, type LocalizationProviderProps } from '@mui/x-date-pickers/LocalizationProvider';
import { jaJP, zhTW } from '@mui/x-date-pickers/locales';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locale } from '../../i18n/languages.ts';
import { currentLocale } from '../../i18n/start.ts';
import { DAY_PATTERN } from '../../time/format.ts';
// Makes dayjs know zones, which the pickers ask it for.
import '../../time/zones.ts';
import 'dayjs/locale/ja';
import 'dayjs/locale/zh-tw';

type Texts = NonNullable<LocalizationProviderProps<string>['localeText']>;

const textsOf = (localization: typeof jaJP): Texts =>
  localization.components.MuiLocalizationProvider.defaultProps.localeText as Texts;

/** English is the pickers' own language. */
const TEXTS: Readonly<Record<Locale, Texts>> = { en: {}, 'zh-TW': textsOf(zhTW), jp: textsOf(jaJP) };
const DAYJS_LOCALES: Readonly<Record<Locale, string>> = { en: 'en', 'zh-TW': 'zh-tw', jp: 'ja' };

/** Dates are yyyy-MM-dd wherever a picker names one: to screen readers, and at the head of its dialog on a phone. */
const DATE_FORMATS = {
  fullDate: DAY_PATTERN,
  normalDate: DAY_PATTERN,
  normalDateWithWeekday: DAY_PATTERN,
  shortDate: DAY_PATTERN,
} as const;

/** The pickers' language: around every date picker. */
export function PickerTexts({ children }: { readonly children: ReactNode }) {
  // Makes the component follow a change of language.
  useTranslation('Form');
  const locale = currentLocale();
  return (
    <LocalizationProvider
      dateAdapter={AdapterDayjs}
      dateFormats={DATE_FORMATS}
      adapterLocale={DAYJS_LOCALES[locale]}
      localeText={TEXTS[locale]}
    >
      {children}
    </LocalizationProvider>
  );
}
