// Renders a template before it is stored.
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import type { TemplatePreview } from '../../../shared/protocol/api/notify/templates.ts';
import { LOCALES, type Locale } from '../../../shared/protocol/locale.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { chooseText, type TextsOfTemplate } from './chooseText.ts';
import { type MessageFacts, valuesOf } from './eventValues.ts';
import { mailHtml } from './mailHtml.ts';
import { renderText } from './render.ts';
import type { Wordings } from './wordings.ts';

export interface PreviewDeps {
  readonly wordings: Pick<Wordings, 'of'>;
  readonly onLimit: OnLimit;
}

type Preview = TemplatePreview[number];

/** Renders it in every language, each as a member who reads it would get it. */
export async function previewTemplate(
  template: TextsOfTemplate,
  event: EventRow,
  facts: MessageFacts,
  deps: PreviewDeps,
): Promise<TemplatePreview> {
  return Promise.all(LOCALES.map((language) => previewIn(language, { template, event, facts }, deps)));
}

interface Previewed {
  readonly template: TextsOfTemplate;
  readonly event: EventRow;
  readonly facts: MessageFacts;
}

async function previewIn(
  language: Locale,
  { template, event, facts }: Previewed,
  { wordings, onLimit }: PreviewDeps,
): Promise<Preview> {
  const { kind } = template;
  const chosen = chooseText(template, { kind, language, isDigest: false });
  const values = valuesOf(event, [event], facts, await wordings.of(chosen.language));
  const text = renderText(chosen, values, { kind, onLimit });
  if (text === undefined) return { language, subject: '', body: '', html: '' };
  const { severity } = event;
  const content = { body: text.body, severity, language: chosen.language, link: facts.link, pictureName: '' };
  return { language, ...text, html: kind === 'email' ? mailHtml(content) : '' };
}
