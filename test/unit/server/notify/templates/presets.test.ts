import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { MESSAGE_WORDS } from '../../../../../server/notify/templates/presets/messageWords.ts';
import { digestText, standardText, templatePresets } from '../../../../../server/notify/templates/presets/presets.ts';
import { renderText } from '../../../../../server/notify/templates/render.ts';
import { TemplateContent } from '../../../../../shared/protocol/api/notify/templates.ts';
import { LOCALES } from '../../../../../shared/protocol/locale.ts';
import { SENDER_KINDS } from '../../../../../shared/protocol/notify/notifyWords.ts';
import { smsSize } from '../../../../../shared/protocol/notify/smsSegments.ts';
import { checkTemplateBody, checkTemplateText } from '../../../../../shared/protocol/notify/templateCheck.ts';
import { hasSubject } from '../../../../../shared/protocol/notify/templateProblems.ts';
import { TEMPLATE_VARIABLES, type VariableValues } from '../../../../../shared/protocol/notify/templateVariables.ts';

const EXAMPLES = Object.fromEntries(TEMPLATE_VARIABLES.map(({ name, example }) => [name, example])) as VariableValues;
const ALL = SENDER_KINDS.flatMap((kind) => LOCALES.map((locale) => ({ kind, locale })));

describe('the texts that come with the product', () => {
  it('can be stored as templates', () => {
    for (const { kind, texts } of templatePresets()) {
      expect(Check(TemplateContent, { name: kind, kind, fallback: 'en', texts }), kind).toBe(true);
    }
  });

  it.each(ALL)('are templates without a problem: $kind in $locale', ({ kind, locale }) => {
    for (const text of [standardText(kind, locale), digestText(kind, locale)]) {
      expect(checkTemplateText(text.subject)).toBeUndefined();
      expect(checkTemplateBody(kind, text.body)).toBeUndefined();
      expect(text.subject !== '').toBe(hasSubject(kind));
      expect(renderText(text, EXAMPLES, { kind, onLimit: () => {} })?.body).not.toContain('{{');
    }
  });

  it('use the same variables in every language', () => {
    const namesIn = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}/g) ?? [])].sort();
    for (const { kind, locale } of ALL) {
      for (const textOf of [standardText, digestText]) {
        const [english, text] = [textOf(kind, 'en'), textOf(kind, locale)];
        expect(namesIn(`${text.subject}${text.body}`)).toEqual(namesIn(`${english.subject}${english.body}`));
      }
    }
  });

  it('fit into one text message', () => {
    for (const locale of LOCALES) {
      const text = renderText(standardText('sms', locale), EXAMPLES, { kind: 'sms', onLimit: () => {} });
      expect(smsSize(text?.body ?? '').segments, locale).toBe(1);
    }
  });

  it('tell a service all facts', () => {
    const { body } = standardText('webhook', 'en');
    const missing = TEMPLATE_VARIABLES.filter(({ name }) => !body.includes(`{{${name}}}`)).map(({ name }) => name);
    expect(missing).toEqual(['recipient.name']);
  });

  it('have words in each language beside them', () => {
    for (const locale of LOCALES) expect(MESSAGE_WORDS[locale].andMore).toContain('{{count}}');
  });
});
