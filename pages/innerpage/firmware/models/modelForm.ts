// The form of a model as data. Pure.
import {
  type FirmwareModel,
  type FirmwareModelContent,
  PACKAGE_INTERVAL_MS,
} from '../../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareMethod } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

/** What the next package waits for: acknowledgements, or its time alone. */
export const PACINGS = ['acknowledged', 'time'] as const;
export type PackagePacing = (typeof PACINGS)[number];

export interface ModelDraft {
  readonly pattern: string;
  readonly method: FirmwareMethod;
  readonly manufacturerBytes: '5' | '11';
  readonly pacing: PackagePacing;
  readonly window: number | null;
  readonly intervalMs: number | null;
  readonly template: string;
  readonly passthroughType: number | null;
}

const FIRST_WINDOW = 8;
/** This means 20 kB/s, or an image of 10 MB in 8 minutes: flash memory of terminals writes a few times as fast. */
const FIRST_INTERVAL_MS = 50;

export const NEW_MODEL: ModelDraft = {
  pattern: '',
  method: 'packages',
  manufacturerBytes: '5',
  pacing: 'acknowledged',
  window: FIRST_WINDOW,
  intervalMs: FIRST_INTERVAL_MS,
  template: '',
  passthroughType: 0,
};

export function draftOfModel({ manufacturerBytes, ...model }: FirmwareModel): ModelDraft {
  const { pattern, method, window, packageIntervalMs = 0, template, passthroughType } = model;
  return {
    pattern,
    method,
    manufacturerBytes: manufacturerBytes === 11 ? '11' : '5',
    pacing: packageIntervalMs === 0 ? 'acknowledged' : 'time',
    window,
    intervalMs: packageIntervalMs === 0 ? FIRST_INTERVAL_MS : packageIntervalMs,
    template,
    passthroughType,
  };
}

/**
 * The content of a draft without problems. Values that the method doesn't use are kept, since another method may need them, except for
 * those that make no sense: the user isn't asked for them.
 */
export function contentOfDraft(draft: ModelDraft): FirmwareModelContent {
  return {
    pattern: draft.pattern.trim(),
    method: draft.method,
    manufacturerBytes: draft.manufacturerBytes === '11' ? 11 : 5,
    window: isWindow(draft.window) ? draft.window : FIRST_WINDOW,
    packageIntervalMs: intervalOf(draft),
    template: draft.template.trim(),
    passthroughType: isPassthroughType(draft.passthroughType) ? draft.passthroughType : 0,
  };
}

function intervalOf({ pacing, intervalMs }: ModelDraft): number {
  if (pacing === 'acknowledged') return 0;
  return isInterval(intervalMs) ? intervalMs : FIRST_INTERVAL_MS;
}

const MOST_IN_FLIGHT = 8;
const MOST_PASSTHROUGH_TYPE = 255;

export interface ModelTexts {
  readonly noPattern: string;
  readonly noTemplate: string;
  readonly noUrl: string;
  readonly range: (minimum: number, maximum: number) => string;
}

/** Checks only the fields that the form shows for the method: a user can't see a problem in a hidden field. */
export function checkModel(draft: ModelDraft, texts: ModelTexts): Problems<ModelDraft> {
  const { method, pacing, window, intervalMs, passthroughType } = draft;
  const isWindowBad = method === 'packages' && pacing === 'acknowledged' && !isWindow(window);
  const isIntervalBad = method === 'packages' && pacing === 'time' && !isInterval(intervalMs);
  const { least, most } = PACKAGE_INTERVAL_MS;
  const isTypeBad = method === 'passthrough' && !isPassthroughType(passthroughType);
  return {
    pattern: draft.pattern.trim() === '' ? texts.noPattern : undefined,
    window: isWindowBad ? texts.range(1, MOST_IN_FLIGHT) : undefined,
    intervalMs: isIntervalBad ? texts.range(least, most) : undefined,
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

function isInterval(value: number | null): value is number {
  return isWhole(value, PACKAGE_INTERVAL_MS.least, PACKAGE_INTERVAL_MS.most);
}

function isPassthroughType(value: number | null): value is number {
  return isWhole(value, 0, MOST_PASSTHROUGH_TYPE);
}

function isWhole(value: number | null, minimum: number, maximum: number): value is number {
  return value !== null && Number.isInteger(value) && value >= minimum && value <= maximum;
}
