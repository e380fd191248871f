// Chooses the text of a message.
import type { Template, TemplateText } from '../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { digestText, standardText } from './presets/presets.ts';

export interface Wanted {
  readonly kind: SenderKind;
  readonly language: Locale;
  readonly isDigest: boolean;
}

export interface ChosenText extends TemplateText {
  /** Language of the text, and so of its values. */
  readonly language: Locale;
}

/**
 * The template's text in the language, else in its fallback language. The standard text is used where the template is gone or of another
 * kind, or would name a single event of a digest.
 */
export function chooseText(template: TextsOfTemplate | undefined, { kind, language, isDigest }: Wanted): ChosenText {
  const standard = isDigest ? digestText(kind, language) : standardText(kind, language);
  if (template === undefined || template.kind !== kind) return { ...standard, language };
  const own = template.texts[language];
  const text = own ?? template.texts[template.fallback];
  if (text === undefined || (isDigest && !namesDigest(text))) return { ...standard, language };
  return { ...text, language: own === undefined ? template.fallback : language };
}

export type TextsOfTemplate = Pick<Template, 'kind' | 'fallback' | 'texts'>;

function namesDigest({ subject, body }: TemplateText): boolean {
  return /\{\{\s*digest\./.test(`${subject}\n${body}`);
}
