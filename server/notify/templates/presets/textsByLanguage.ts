import type { TemplateText } from '../../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';

export type TextsByLanguage = Readonly<Record<Locale, TemplateText>>;
