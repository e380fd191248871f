// How messages are worded.
import {
  TEMPLATE_EVENTS_PATH,
  TEMPLATE_PRESETS_PATH,
  TEMPLATE_PREVIEW_PATH,
  TEMPLATES_PATH,
  Template,
  type TemplateContent,
  TemplateEvents,
  TemplatePresets,
  TemplatePreview,
  type TemplatePreviewRequest,
} from '../../protocol/api/notify/templates.ts';
import { Nothing, type RecordOf } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { requestRecord } from '../requestRecord.ts';

/** Filter: `kind`. */
export function listTemplates(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<Template>>> {
  return requestList(TEMPLATES_PATH, Template, query, signal);
}

/** Fields of a refusal are those of TemplateDraft: `name`, `texts.en.body`. */
export function addTemplate(template: TemplateContent): Promise<ApiResult<Template>> {
  return requestRecord(TEMPLATES_PATH, Template, { method: 'POST', body: template });
}

type TemplateKey = Pick<Template, 'id' | 'version'>;

export function saveTemplate({ id, version }: TemplateKey, template: TemplateContent): Promise<ApiResult<Template>> {
  return requestRecord(`${TEMPLATES_PATH}/${id}`, Template, { method: 'PUT', body: { ...template, version } });
}

/** Refused with `template-in-use` where rules use it. */
export function removeTemplate({ id, version }: TemplateKey): Promise<ApiResult<unknown>> {
  return requestRecord(`${TEMPLATES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

export function loadTemplatePresets(signal?: AbortSignal): Promise<ApiResult<TemplatePresets>> {
  return requestRecord(TEMPLATE_PRESETS_PATH, TemplatePresets, { signal });
}

/** The newest of the member group. */
export function loadTemplateEvents(signal?: AbortSignal): Promise<ApiResult<TemplateEvents>> {
  return requestRecord(TEMPLATE_EVENTS_PATH, TemplateEvents, { signal });
}

export function previewTemplate(
  request: RecordOf<typeof TemplatePreviewRequest>,
  signal?: AbortSignal,
): Promise<ApiResult<TemplatePreview>> {
  return requestRecord(TEMPLATE_PREVIEW_PATH, TemplatePreview, { method: 'POST', body: request, signal });
}
