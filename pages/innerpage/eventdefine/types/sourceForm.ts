// The form of the source of an administrator's event type: numbers are written as in a terminal's documentation.
import {
  type BytesMatch,
  type CustomForm,
  type CustomSource,
  faultsOfMatch,
} from '../../../../shared/protocol/events/customSource.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export const BYTE_WIDTHS = ['1', '2', '3', '4'] as const;

export interface SourceDraft {
  readonly sourceKind: CustomSource['kind'];
  /** ID of the position item, or type of the passthrough message. */
  readonly sourceId: string;
  /** False for a passthrough message that counts whatever it contains. */
  readonly hasMatch: boolean;
  readonly offset: number | null;
  readonly width: (typeof BYTE_WIDTHS)[number];
  readonly mask: string;
  readonly value: string;
  readonly form: CustomForm;
}

export const NEW_SOURCE: SourceDraft = {
  sourceKind: 'position-item',
  sourceId: '',
  hasMatch: true,
  offset: 0,
  width: '1',
  mask: '0xFF',
  value: '0x01',
  form: 'held',
};

export function sourceDraftOf(source: CustomSource): SourceDraft {
  const { match } = source;
  const bytes = match === null ? { ...NEW_SOURCE, hasMatch: false } : { ...NEW_SOURCE, ...matchDraftOf(match) };
  switch (source.kind) {
    case 'position-item':
      return { ...bytes, sourceKind: 'position-item', sourceId: hexOf(source.itemId, 1), form: source.form };
    case 'passthrough':
      return { ...bytes, sourceKind: 'passthrough', sourceId: hexOf(source.passthroughType, 1) };
  }
}

function matchDraftOf({ offset, width, mask, value }: BytesMatch) {
  const known = BYTE_WIDTHS.find((each) => Number(each) === width) ?? '1';
  return { hasMatch: true, offset, width: known, mask: hexOf(mask, width), value: hexOf(value, width) };
}

/** The source of a draft without problems. */
export function sourceOf(draft: SourceDraft): CustomSource {
  const id = readNumber(draft.sourceId) ?? 0;
  switch (draft.sourceKind) {
    case 'position-item':
      return { kind: 'position-item', itemId: id, match: matchOf(draft), form: draft.form };
    case 'passthrough':
      return { kind: 'passthrough', passthroughType: id, match: draft.hasMatch ? matchOf(draft) : null };
  }
}

function matchOf({ offset, width, mask, value }: SourceDraft): BytesMatch {
  return {
    offset: offset ?? 0,
    width: Number(width),
    mask: readNumber(mask) ?? 0,
    value: readNumber(value) ?? 0,
  };
}

export interface SourceTexts {
  readonly badId: string;
  readonly badOffset: string;
  readonly badNumber: string;
  readonly badMask: string;
  readonly badValue: string;
}

/** The highest offset that leaves room for the widest number in the longest item. */
const MAX_OFFSET = 250;

export function checkSource(draft: SourceDraft, texts: SourceTexts): Problems<SourceDraft> {
  const id = readNumber(draft.sourceId);
  const sourceId = id === undefined || id > 0xff ? texts.badId : undefined;
  return comparesBytes(draft) ? { sourceId, ...checkMatch(draft, texts) } : { sourceId };
}

/** Whether bytes are compared. They always are for a position item, since each position may contain it. */
export function comparesBytes({ sourceKind, hasMatch }: SourceDraft): boolean {
  return sourceKind === 'position-item' || hasMatch;
}

function checkMatch(draft: SourceDraft, texts: SourceTexts): Problems<SourceDraft> {
  const { offset } = draft;
  const isOffset = offset !== null && Number.isInteger(offset) && offset >= 0 && offset <= MAX_OFFSET;
  const mask = readNumber(draft.mask);
  const value = readNumber(draft.value);
  const problems = {
    offset: isOffset ? undefined : texts.badOffset,
    mask: mask === undefined ? texts.badNumber : undefined,
    value: value === undefined ? texts.badNumber : undefined,
  };
  if (mask === undefined || value === undefined) return problems;
  const faults = faultsOfMatch(matchOf(draft));
  return {
    ...problems,
    ...(faults.mask === undefined ? {} : { mask: texts.badMask }),
    ...(faults.value === undefined ? {} : { value: texts.badValue }),
  };
}

/** A whole number of at most four bytes, such as 225 or 0xE1; full-width digits from an input method are accepted, too. */
export function readNumber(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim();
  if (!/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(plain)) return undefined;
  const number = Number(plain);
  return number <= 0xffffffff ? number : undefined;
}

function hexOf(number: number, bytes: number): string {
  return `0x${number
    .toString(16)
    .toUpperCase()
    .padStart(2 * bytes, '0')}`;
}
