// The gateway's part of Template Setting: it keeps templates, counts their versions, and previews by showing the texts.
import {
  TEMPLATE_EVENTS_PATH,
  TEMPLATE_PRESETS_PATH,
  TEMPLATE_PREVIEW_PATH,
  TEMPLATES_PATH,
  type Template,
  type TemplateContent,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { LOCALES } from '../../../../shared/protocol/locale.ts';
import { SENDER_KINDS } from '../../../../shared/protocol/notify/notifyWords.ts';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { templateRecord } from '../../../support/templateContents.ts';

export function keepTemplates(gateway: FakeGateway, rows: Template[]): void {
  gateway.on(`GET ${TEMPLATES_PATH}`, ({ query }) => {
    const found = rows.filter(({ kind }) => (query.get('kind') ?? kind) === kind);
    const page = { rows: found, total: found.length, hasMoreThanTotal: false, next: null, previous: null };
    return json({ error: false, data: page });
  });
  gateway.on(`POST ${TEMPLATES_PATH}`, ({ body }) => {
    const row = templateRecord({ ...(body as TemplateContent), id: 100 + rows.length });
    rows.push(row);
    return json({ error: false, data: row });
  });
  for (const { id } of [...rows]) keepOne(gateway, rows, id);
  gateway.on(`GET ${TEMPLATE_PRESETS_PATH}`, {
    error: false,
    data: SENDER_KINDS.map((kind) => ({ kind, texts: standard(kind) })),
  });
  gateway.on(`GET ${TEMPLATE_EVENTS_PATH}`, {
    error: false,
    data: [{ id: 9, beginAtMs: 1_795_000_000_000, type: 'speeding', severity: 'major', deviceName: 'Bus 12' }],
  });
  gateway.on(`GET /api/event/types`, { error: false, data: EVENT_WORDS });
  gateway.on(`POST ${TEMPLATE_PREVIEW_PATH}`, ({ body }) => {
    const { kind, texts, event } = body as TemplateContent & { readonly event: number };
    const data = LOCALES.map((language) => {
      const shown = `event ${event}: ${texts[language]?.body ?? 'fallback'}`;
      return {
        language,
        subject: texts[language]?.subject ?? '',
        body: shown,
        html: kind === 'email' ? `<p>${shown}</p>` : '',
      };
    });
    return json({ error: false, data });
  });
}

function keepOne(gateway: FakeGateway, rows: Template[], id: number): void {
  const at = () => rows.findIndex((row) => row.id === id);
  gateway.on(`PUT ${TEMPLATES_PATH}/${id}`, ({ body }) => {
    const { version, ...content } = body as Template;
    const known = rows[at()];
    if (known === undefined || version !== known.version) return conflict(known);
    const row = { ...known, ...content, version: version + 1 };
    rows[at()] = row;
    return json({ error: false, data: row });
  });
  gateway.on(`DELETE ${TEMPLATES_PATH}/${id}`, () => {
    rows.splice(at(), 1);
    return json({ error: false, data: {} });
  });
}

function conflict(current: unknown): Response {
  return json({ error: true, code: 'conflict', message: 'conflict', data: { current } }, { status: 409 });
}

/** What the product brings, in short. */
export function standard(kind: string): TemplateContent['texts'] {
  const subject = kind === 'email' || kind === 'push' ? '{{event.type}}' : '';
  const body = kind === 'webhook' ? '{"id": "{{event.id}}"}' : `${kind} {{event.type}}`;
  return Object.fromEntries(LOCALES.map((locale) => [locale, { subject, body }]));
}
