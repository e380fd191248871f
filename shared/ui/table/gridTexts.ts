// The grid's own words, which come with it. Those of the pager are ours.
import type { GridLocaleText } from '@mui/x-data-grid';
import { jaJP, zhTW } from '@mui/x-data-grid/locales';
import type { Locale } from '../../i18n/languages.ts';

type Texts = Partial<GridLocaleText>;

const ofGrid = (localization: typeof jaJP): Texts => localization.components.MuiDataGrid.defaultProps.localeText;

export const GRID_TEXTS: Readonly<Record<Locale, Texts>> = {
  en: {},
  'zh-TW': ofGrid(zhTW),
  jp: ofGrid(jaJP),
};
