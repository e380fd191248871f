// A template as it is sent, made ready to be stored.
import type { AuditFields } from '../../../../shared/protocol/api/audit.ts';
import type { TemplateContent, TemplateText, TemplateTexts } from '../../../../shared/protocol/api/notify/templates.ts';
import { LOCALES } from '../../../../shared/protocol/locale.ts';
import { hasSubject, templateProblems } from '../../../../shared/protocol/notify/templateProblems.ts';
import type { NotifyTemplateStore } from '../../../store/notify/notifyTemplates.ts';
import { type Refusal, refusedFields } from '../../kernel/envelope.ts';
import { NAME_TAKEN, refusedTexts } from './templateRefusals.ts';

/** Languages without a text are left out, and subjects of kinds that have none are empty. Line breaks are one character. */
export function tidyTemplate({ name, kind, fallback, texts }: TemplateContent): TemplateContent {
  const tidied: TemplateTexts = Object.fromEntries(
    LOCALES.flatMap((locale) => {
      const text = texts[locale];
      if (text === undefined || isBlank(text)) return [];
      const subject = hasSubject(kind) ? text.subject.trim() : '';
      return [[locale, { subject, body: text.body.replace(/\r\n?/g, '\n') }]];
    }),
  );
  return { name: name.trim(), kind, fallback, texts: tidied };
}

function isBlank({ subject, body }: TemplateText): boolean {
  return subject.trim() === '' && body.trim() === '';
}

/** `id`: of the template that is changed; undefined for a new one. */
export async function refusalOf(
  content: TemplateContent,
  id: number | undefined,
  store: Pick<NotifyTemplateStore, 'all'>,
): Promise<Refusal | undefined> {
  if (content.name === '') return refusedFields({ name: 'required' });
  const texts = refusedTexts(templateProblems(content));
  if (texts !== undefined) return texts;
  const others = (await store.all()).filter((other) => other.id !== id);
  const isTaken = others.some(({ name }) => name.toLowerCase() === content.name.toLowerCase());
  return isTaken ? NAME_TAKEN : undefined;
}

/** Texts as the log can show them: by language. */
export function auditFieldsOf({ name, kind, fallback, texts }: TemplateContent): AuditFields {
  const languages = LOCALES.flatMap((locale) => {
    const text = texts[locale];
    return text === undefined ? [] : [[locale, [text.subject, text.body].filter((part) => part !== '').join('\n')]];
  });
  return { name, kind, fallback, texts: Object.fromEntries(languages) };
}
