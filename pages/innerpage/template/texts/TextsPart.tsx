import RestartAlt from '@mui/icons-material/RestartAlt';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { TabRow } from '../../../../shared/ui/TabRow.tsx';
import { hasText, languageWithProblem, type TemplateDraft } from '../templateForm.ts';
import { LanguageFields } from './LanguageFields.tsx';

export interface TextsPartProps {
  readonly form: Form<TemplateDraft>;
  readonly locale: Locale;
  readonly onLocale: (locale: Locale) => void;
  /** Puts the texts that come with the product in place of all. */
  readonly onStandard: () => void;
}

/** The texts, a tab for each language. */
export function TextsPart({ form, locale, onLocale, onStandard }: TextsPartProps) {
  const { t } = useTranslation('Template');
  const id = useId();
  const panel = useShownProblem(form, locale, onLocale);
  const stateOf = (each: Locale): string => {
    const isWrong = languageWithProblem(each, (field) => form.field(field).problem !== undefined) === each;
    if (isWrong) return ` (${t('check')})`;
    return hasText(form.values, each) ? '' : ` (${t('empty')})`;
  };
  return (
    <Section title={t('Texts')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', minWidth: 0 }}>
        <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
          <TabRow value={locale} onChange={(_, next: Locale) => onLocale(next)} aria-label={t('Languages')} sx={TABS}>
            {LANGUAGES.map((language) => (
              <Tab
                key={language.locale}
                value={language.locale}
                label={`${language.name}${stateOf(language.locale)}`}
                id={`${id}-${language.locale}`}
                aria-controls={`${id}-panel`}
                sx={TAB}
              />
            ))}
          </TabRow>
        </Box>
        <Button size="small" startIcon={<RestartAlt />} onClick={onStandard}>
          {t('Use standard texts')}
        </Button>
      </Box>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${locale}`} ref={panel}>
        <LanguageFields key={locale} form={form} locale={locale} />
      </div>
    </Section>
  );
}

/** When saving stops at a text of another language, that language is shown, with the focus in the field. */
function useShownProblem(form: Form<TemplateDraft>, locale: Locale, onLocale: (locale: Locale) => void) {
  const panel = useRef<HTMLDivElement>(null);
  const seenStops = useRef(form.stops);
  const isLookedFor = useRef(false);
  useEffect(() => {
    if (form.stops !== seenStops.current) {
      seenStops.current = form.stops;
      const wrong = languageWithProblem(locale, (field) => form.field(field).problem !== undefined);
      const isOther = wrong !== undefined && wrong !== locale && form.field('name').problem === undefined;
      isLookedFor.current = isOther;
      if (isOther) onLocale(wrong);
      return;
    }
    if (!isLookedFor.current) return;
    isLookedFor.current = false;
    panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
  return panel;
}

const TABS = { minHeight: 40, borderBottom: 1, borderColor: 'divider' } as const;
const TAB = { minHeight: 40, textTransform: 'none' } as const;
