import i18next from 'i18next';

/** A field code in the user's language. One that this version does not know still says that the field is the matter. */
export function fieldText(code: string): string {
  return i18next.exists(code, { ns: 'Fields' })
    ? i18next.t(code, { ns: 'Fields' })
    : i18next.t('not-allowed', { ns: 'Fields' });
}
