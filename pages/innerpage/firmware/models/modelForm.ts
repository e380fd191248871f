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

const FIRST_WINDOW = 8;

export const NEW_MODEL: ModelDraft = {
  pattern: '',
  method: 'packages',
  manufacturerBytes: '5',
  window: FIRST_WINDOW,
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

/**
 * Of a draft without problems. What the method has no use for is kept, as another method may need it again, unless it makes no sense:
 * nobody is asked for it.
 */
export function contentOfDraft(draft: ModelDraft): FirmwareModelContent {
  return {
    pattern: draft.pattern.trim(),
    method: draft.method,
    manufacturerBytes: draft.manufacturerBytes === '11' ? 11 : 5,
    window: isWindow(draft.window) ? draft.window : FIRST_WINDOW,
    template: draft.template.trim(),
    passthroughType: isPassthroughType(draft.passthroughType) ? draft.passthroughType : 0,
  };
}

const MOST_IN_FLIGHT = 8;
const MOST_PASSTHROUGH_TYPE = 255;

export interface ModelTexts {
  readonly noPattern: string;
  readonly noTemplate: string;
  readonly noUrl: string;
  readonly range: (minimum: number, maximum: number) => string;
}

/** Only what the form shows for the method: of a field that isn't there nobody sees what is wrong. */
export function checkModel(draft: ModelDraft, texts: ModelTexts): Problems<ModelDraft> {
  const { method, window, passthroughType } = draft;
  const isWindowBad = method === 'packages' && !isWindow(window);
  const isTypeBad = method === 'passthrough' && !isPassthroughType(passthroughType);
  return {
    pattern: draft.pattern.trim() === '' ? texts.noPattern : undefined,
    window: isWindowBad ? texts.range(1, MOST_IN_FLIGHT) : undefined,
    template: usesTemplate(method) ? templateProblem(draft.template, texts) : undefined,
    passthroughType: isTypeBad ? texts.range(0, MOST_PASSTHROUGH_TYPE) : undefined,
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

function isWindow(value: number | null): value is number {
  return isWhole(value, 1, MOST_IN_FLIGHT);
}

function isPassthroughType(value: number | null): value is number {
  return isWhole(value, 0, MOST_PASSTHROUGH_TYPE);
}

function isWhole(value: number | null, minimum: number, maximum: number): value is number {
  return value !== null && Number.isInteger(value) && value >= minimum && value <= maximum;
}
