import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker';
import { LocalizationProvider, type LocalizationProviderProps } from '@mui/x-date-pickers/LocalizationProvider';
import { jaJP, zhTW } from '@mui/x-date-pickers/locales';
import dayjs, { type Dayjs } from 'dayjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locale } from '../../i18n/languages.ts';
import { currentLocale } from '../../i18n/start.ts';
import { useUserZone } from '../../time/userZone.ts';
import { zoneLabel } from '../../time/zones.ts';
import type { Field } from './useForm.ts';
import 'dayjs/locale/ja';
import 'dayjs/locale/zh-tw';

type Texts = NonNullable<LocalizationProviderProps<string>['localeText']>;

const textsOf = (localization: typeof jaJP): Texts =>
  localization.components.MuiLocalizationProvider.defaultProps.localeText as Texts;

/** English is the pickers' own language. */
const TEXTS: Readonly<Record<Locale, Texts>> = { en: {}, 'zh-TW': textsOf(zhTW), jp: textsOf(jaJP) };
const DAYJS_LOCALES: Readonly<Record<Locale, string>> = { en: 'en', 'zh-TW': 'zh-tw', jp: 'ja' };

/** The pickers' language: around every date picker. */
export function PickerTexts({ children }: { readonly children: ReactNode }) {
  // Makes the component follow a change of language.
  useTranslation('Form');
  const locale = currentLocale();
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={DAYJS_LOCALES[locale]} localeText={TEXTS[locale]}>
      {children}
    </LocalizationProvider>
  );
}

export interface MomentInputProps {
  /** Milliseconds since the epoch; null for none, NaN while what is typed is no moment. */
  readonly field: Field<number | null>;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly disablePast?: boolean;
  readonly disabled?: boolean;
  readonly required?: boolean;
}

/** A day and a time in the user's zone, which is named below. */
export function MomentInput({ field, label, hint, ...rest }: MomentInputProps) {
  const { disablePast = false, disabled = false, required = false } = rest;
  const zone = useUserZone();
  const zoneText = zoneLabel(zone, isMoment(field.value) ? field.value : Date.now());
  const change = (value: Dayjs | null) => field.onChange(value?.valueOf() ?? null);
  return (
    <PickerTexts>
      <DateTimePicker
        label={label}
        value={isMoment(field.value) ? dayjs(field.value).tz(zone) : null}
        onChange={change}
        timezone={zone}
        ampm={false}
        format="YYYY-MM-DD HH:mm"
        disablePast={disablePast}
        disabled={field.disabled || disabled}
        slotProps={{
          textField: {
            fullWidth: true,
            required,
            size: 'small',
            name: field.name,
            onBlur: field.onBlur,
            error: field.problem !== undefined,
            helperText: field.problem ?? (hint === undefined ? zoneText : `${hint} ${zoneText}`),
          },
          field: { clearable: !required },
        }}
      />
    </PickerTexts>
  );
}

function isMoment(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}
