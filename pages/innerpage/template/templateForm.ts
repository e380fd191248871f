// A template's form as data: a field for each text, named as the gateway names it in a refusal.
import type { TemplateContent, TemplateText, TemplateTexts } from '../../../shared/protocol/api/notify/templates.ts';
import { LOCALES, type Locale } from '../../../shared/protocol/locale.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import {
  hasSubject,
  type TemplateProblem,
  type TextField,
  templateProblems,
} from '../../../shared/protocol/notify/templateProblems.ts';
import type { Problems } from '../../../shared/ui/form/formState.ts';

export type TemplateDraft = Readonly<Record<TextField, string>> & {
  readonly name: string;
  readonly kind: SenderKind;
  readonly fallback: Locale;
};

const TEXT_PARTS = ['subject', 'body'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];

export function textField(locale: Locale, part: TextPart): TextField {
  return `texts.${locale}.${part}`;
}

export function draftOf({ name, kind, fallback, texts }: TemplateContent): TemplateDraft {
  return { name, kind, fallback, ...fieldsOf(texts) };
}

/** All of them: a language without a text has empty fields. */
export function fieldsOf(texts: TemplateTexts): Readonly<Record<TextField, string>> {
  const fields = LOCALES.flatMap((locale) =>
    TEXT_PARTS.map((part) => [textField(locale, part), texts[locale]?.[part] ?? ''] as const),
  );
  return Object.fromEntries(fields) as Record<TextField, string>;
}

/** Languages without a text are left out, and subjects where the kind has none. */
export function contentOf(draft: TemplateDraft): TemplateContent {
  const { name, kind, fallback } = draft;
  const texts: TemplateTexts = Object.fromEntries(
    LOCALES.flatMap((locale) => {
      const text = textIn(draft, locale);
      return isEmpty(text) ? [] : [[locale, text]];
    }),
  );
  return { name: name.trim(), kind, fallback, texts };
}

function textIn(draft: TemplateDraft, locale: Locale): TemplateText {
  const subject = hasSubject(draft.kind) ? draft[textField(locale, 'subject')] : '';
  return { subject, body: draft[textField(locale, 'body')] };
}

export function hasText(draft: TemplateDraft, locale: Locale): boolean {
  return !isEmpty(textIn(draft, locale));
}

function isEmpty({ subject, body }: TemplateText): boolean {
  return subject.trim() === '' && body.trim() === '';
}

export interface ProblemTexts {
  readonly noName: string;
  readonly of: (problem: TemplateProblem, part: TextPart) => string;
}

export function checkTemplate(draft: TemplateDraft, texts: ProblemTexts): Problems<TemplateDraft> {
  const found = templateProblems(contentOf(draft));
  const named = LOCALES.flatMap((locale) =>
    TEXT_PARTS.flatMap((part) => {
      const problem = found[textField(locale, part)];
      return problem === undefined ? [] : [[textField(locale, part), texts.of(problem, part)] as const];
    }),
  );
  const problems: Problems<TemplateDraft> = Object.fromEntries(named);
  return draft.name.trim() === '' ? { ...problems, name: texts.noName } : problems;
}

/** The first language, the given one before others, with a field that has a problem. */
export function languageWithProblem(shown: Locale, hasProblem: (field: TextField) => boolean): Locale | undefined {
  const isWrong = (locale: Locale) => TEXT_PARTS.some((part) => hasProblem(textField(locale, part)));
  return [shown, ...LOCALES].find(isWrong);
}
