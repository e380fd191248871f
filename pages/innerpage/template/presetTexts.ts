// What a new template begins with.
import type { TemplateContent, TemplatePresets, TemplateTexts } from '../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

/** The standard texts of a kind; none as long as they could not be loaded. */
export function presetTexts(presets: TemplatePresets, kind: SenderKind): TemplateTexts {
  return presets.find((preset) => preset.kind === kind)?.texts ?? {};
}

export function startingTemplate(presets: TemplatePresets, fallback: Locale): TemplateContent {
  return { name: '', kind: 'email', fallback, texts: presetTexts(presets, 'email') };
}
