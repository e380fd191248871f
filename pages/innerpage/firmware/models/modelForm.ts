// The form of a model as data. Pure.
import type { FirmwareModel, FirmwareModelContent } from '../../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareMethod } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface ModelDraft {
  readonly pattern: string;
  readonly method: FirmwareMethod;
  readonly manufacturerBytes: '5' | '11';
  readonly window: number | null;
  readonly template: string;
  readonly passthroughType: number | null;
}

export const NEW_MODEL: ModelDraft = {
  pattern: '',
  method: 'packages',
  manufacturerBytes: '5',
  window: 8,
  template: '',
  passthroughType: 0,
};

export function draftOfModel({ manufacturerBytes, ...model }: FirmwareModel): ModelDraft {
  const { pattern, method, window, template, passthroughType } = model;
  return {
    pattern,
    method,
    manufacturerBytes: manufacturerBytes === 11 ? '11' : '5',
    window,
    template,
    passthroughType,
  };
}

/** Of a draft without problems. What the method has no use for is kept: another method may need it again. */
export function contentOfDraft(draft: ModelDraft): FirmwareModelContent {
  return {
    pattern: draft.pattern.trim(),
    method: draft.method,
    manufacturerBytes: draft.manufacturerBytes === '11' ? 11 : 5,
    window: draft.window ?? NEW_MODEL.window ?? 1,
    template: draft.template.trim(),
    passthroughType: draft.passthroughType ?? 0,
  };
}

export const MOST_IN_FLIGHT = 8;
export const MOST_PASSTHROUGH_TYPE = 255;

export interface ModelTexts {
  readonly noPattern: string;
  readonly noTemplate: string;
  readonly noUrl: string;
  readonly range: (minimum: number, maximum: number) => string;
}

export function checkModel(draft: ModelDraft, texts: ModelTexts): Problems<ModelDraft> {
  const { window, passthroughType } = draft;
  return {
    pattern: draft.pattern.trim() === '' ? texts.noPattern : undefined,
    window: isWhole(window, 1, MOST_IN_FLIGHT) ? undefined : texts.range(1, MOST_IN_FLIGHT),
    template: usesTemplate(draft.method) ? templateProblem(draft.template, texts) : undefined,
    passthroughType: isWhole(passthroughType, 0, MOST_PASSTHROUGH_TYPE)
      ? undefined
      : texts.range(0, MOST_PASSTHROUGH_TYPE),
  };
}

/** Without the address the terminal can't know what to download. */
function templateProblem(template: string, texts: ModelTexts): string | undefined {
  if (template.trim() === '') return texts.noTemplate;
  return template.includes('{url}') ? undefined : texts.noUrl;
}

export function usesTemplate(method: FirmwareMethod): boolean {
  return method === 'text' || method === 'passthrough';
}

function isWhole(value: number | null, minimum: number, maximum: number): boolean {
  return value !== null && Number.isInteger(value) && value >= minimum && value <= maximum;
}
