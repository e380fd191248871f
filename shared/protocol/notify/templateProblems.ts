// The problems of a template as a whole, by field. Pure: the page shows them at the fields, the gateway refuses the template for them.
import type { TemplateContent, TemplateText } from '../api/notify/templates.ts';
import { LOCALES, type Locale } from '../locale.ts';
import type { SenderKind } from './notifyWords.ts';
import { checkTemplateBody, checkTemplateText, type TextProblem } from './templateCheck.ts';

/** `required`: it has to be filled in. */
export type TemplateProblem = TextProblem | { readonly code: 'required' };

export type TextField = `texts.${Locale}.${keyof TemplateText}`;
export type TemplateProblems = Readonly<Partial<Record<TextField, TemplateProblem>>>;

/** True for mail and push: the others have only a body. */
export function hasSubject(kind: SenderKind): boolean {
  return kind === 'email' || kind === 'push';
}

/** The problems of the texts. The fallback language needs a text; another language needs none, or a whole one. */
export function templateProblems({
  kind,
  fallback,
  texts,
}: Pick<TemplateContent, 'kind' | 'fallback' | 'texts'>): TemplateProblems {
  const problems: Partial<Record<TextField, TemplateProblem>> = {};
  for (const locale of LOCALES) {
    const text = texts[locale] ?? (locale === fallback ? EMPTY : undefined);
    if (text === undefined) continue;
    const subject = hasSubject(kind) ? problemOf(text.subject, checkTemplateText) : undefined;
    const body = problemOf(text.body, (given) => checkTemplateBody(kind, given));
    if (subject !== undefined) problems[`texts.${locale}.subject`] = subject;
    if (body !== undefined) problems[`texts.${locale}.body`] = body;
  }
  return problems;
}

const EMPTY: TemplateText = { subject: '', body: '' };

function problemOf(text: string, check: (text: string) => TextProblem | undefined): TemplateProblem | undefined {
  return text.trim() === '' ? { code: 'required' } : check(text);
}
