// The component library's own words (pages of a table, the cross of an alert, an empty list) in the page's language.
import { jaJP, type Localization, zhTW } from '@mui/material/locale';
import { type Theme, ThemeProvider, useTheme } from '@mui/material/styles';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locale } from '../../i18n/languages.ts';
import { currentLocale } from '../../i18n/start.ts';

const TEXTS: Readonly<Record<Locale, Localization>> = { en: {}, 'zh-TW': zhTW, jp: jaJP };

export function LocalTexts({ children }: { readonly children: ReactNode }) {
  // Makes the component follow a change of language.
  useTranslation('Common');
  const theme = useTheme();
  const locale = currentLocale();
  const local = useMemo(() => withTexts(theme, TEXTS[locale]), [theme, locale]);
  return <ThemeProvider theme={local}>{children}</ThemeProvider>;
}

type Defaults = Readonly<Record<string, { readonly defaultProps?: object } | undefined>>;

/** The theme with the texts as default properties; what the theme itself sets stays. */
function withTexts(theme: Theme, { components = {} }: Localization): Theme {
  const own = theme.components as Defaults | undefined;
  const merged = Object.entries(components as Defaults).map(([name, texts]) => [
    name,
    { ...own?.[name], defaultProps: { ...texts?.defaultProps, ...own?.[name]?.defaultProps } },
  ]);
  return { ...theme, components: { ...own, ...Object.fromEntries(merged) } } as Theme;
}
