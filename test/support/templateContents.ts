import type { Template, TemplateContent } from '../../shared/protocol/api/notify/templates.ts';
import { wallMs } from '../../shared/protocol/time.ts';

/** A mail in English. */
export function templateContent(changes: Partial<TemplateContent> = {}): TemplateContent {
  const texts = { en: { subject: '{{event.type}}', body: 'At {{event.begin}}\n{{event.link}}' } };
  return { name: 'Night mail', kind: 'email', fallback: 'en', texts, ...changes };
}

export function templateRecord(changes: Partial<Template> = {}): Template {
  const changedAtMs = wallMs(1_795_000_000_000);
  return { ...templateContent(), id: 1, version: 1, changedAtMs, changedBy: 'root', ...changes };
}
