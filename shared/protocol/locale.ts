/** The languages of the product, as they are stored, loaded and sent. */
export const LOCALES = ['en', 'zh-TW', 'jp'] as const;
export type Locale = (typeof LOCALES)[number];
