// The form of an image as data. Pure.
import type { FirmwareImage, FirmwareImageContent } from '../../../../shared/protocol/api/firmware/images.ts';
import type { FirmwarePart } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface ImageDraft {
  readonly name: string;
  readonly vendor: string;
  /** Patterns, one a line or separated by commas. */
  readonly models: string;
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
  readonly minimumVersion: string;
  readonly part: FirmwarePart;
  readonly notes: string;
  /** Id of the file's upload; '' until it is complete. */
  readonly upload: string;
}

export const NEW_IMAGE: ImageDraft = {
  name: '',
  vendor: '',
  models: '',
  hardwareVersion: '',
  firmwareVersion: '',
  minimumVersion: '',
  part: 'terminal',
  notes: '',
  upload: '',
};

export function draftOfImage(image: FirmwareImage): ImageDraft {
  const { name, vendor, models, hardwareVersion, firmwareVersion, minimumVersion, part, notes } = image;
  return {
    name,
    vendor,
    models: models.join(', '),
    hardwareVersion,
    firmwareVersion,
    minimumVersion,
    part,
    notes,
    upload: '',
  };
}

export function contentOfDraft(draft: ImageDraft): FirmwareImageContent {
  return {
    name: draft.name.trim(),
    vendor: draft.vendor.trim(),
    models: patternsOf(draft.models),
    hardwareVersion: draft.hardwareVersion.trim(),
    firmwareVersion: draft.firmwareVersion.trim(),
    minimumVersion: draft.minimumVersion.trim(),
    part: draft.part,
    notes: draft.notes.trim(),
  };
}

const MAX_PATTERNS = 50;
const MAX_PATTERN = 60;

export interface ImageTexts {
  readonly noName: string;
  readonly noModel: string;
  readonly manyModels: string;
  readonly longModel: string;
  readonly noVersion: string;
  readonly noFile: string;
}

export function checkImage(draft: ImageDraft, isNew: boolean, texts: ImageTexts): Problems<ImageDraft> {
  return {
    name: draft.name.trim() === '' ? texts.noName : undefined,
    models: modelsProblem(patternsOf(draft.models), texts),
    firmwareVersion: draft.firmwareVersion.trim() === '' ? texts.noVersion : undefined,
    upload: isNew && draft.upload === '' ? texts.noFile : undefined,
  };
}

function modelsProblem(models: readonly string[], texts: ImageTexts): string | undefined {
  if (models.length === 0) return texts.noModel;
  if (models.length > MAX_PATTERNS) return texts.manyModels;
  return models.some((model) => model.length > MAX_PATTERN) ? texts.longModel : undefined;
}

/** Each once, without what surrounds it. A full-width comma, as an input method gives it, separates too. */
export function patternsOf(text: string): string[] {
  const patterns = text.split(/[,，、\n]/).map((pattern) => pattern.trim());
  return [...new Set(patterns.filter((pattern) => pattern !== ''))];
}
