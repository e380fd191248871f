// The grid's own words. It comes with those of three languages; what they lack is filled here.
import type { GridLocaleText } from '@mui/x-data-grid';
import { jaJP, zhTW } from '@mui/x-data-grid/locales';
import type { Locale } from '../../i18n/languages.ts';

type Texts = Partial<GridLocaleText>;

const ofGrid = (localization: typeof jaJP): Texts => localization.components.MuiDataGrid.defaultProps.localeText;

export const GRID_TEXTS: Readonly<Record<Locale, Texts>> = {
  en: {},
  'zh-TW': {
    ...ofGrid(zhTW),
    paginationItemAriaLabel: (type) =>
      ({ first: '第一頁', last: '最後一頁', next: '下一頁', previous: '上一頁' })[type],
  },
  jp: {
    ...ofGrid(jaJP),
    paginationItemAriaLabel: (type) =>
      ({ first: '最初のページ', last: '最後のページ', next: '次のページ', previous: '前のページ' })[type],
  },
};
