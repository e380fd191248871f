// Checks a sender's draft with the schema that the gateway checks it with. Pure.
import { MAX_SENDER_NAME, SENDER_SETTINGS } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { type SenderDraft, settingNamesOf, settingOf } from './senderForm.ts';

/** A sentence for each field that can be wrong. */
export type SenderTexts = Readonly<Partial<Record<keyof SenderDraft, string>>>;

const MAX_PER_MINUTE = 10_000;

export function checkSender(draft: SenderDraft, texts: SenderTexts): Problems<SenderDraft> {
  const { perMinute } = draft;
  const name = draft.name.trim();
  const isRate = perMinute === null || (Number.isInteger(perMinute) && perMinute >= 0 && perMinute <= MAX_PER_MINUTE);
  const wrong = settingNamesOf(draft.kind).filter((field) => !fits(shapeOf(draft, field), settingOf(draft, field)));
  return {
    name: name === '' || name.length > MAX_SENDER_NAME ? texts.name : undefined,
    perMinute: isRate ? undefined : texts.perMinute,
    ...Object.fromEntries(wrong.map((field) => [field, texts[field]])),
  };
}

/** The part of a JSON Schema that describes a value. */
interface Shape {
  readonly type?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
}

function shapeOf({ kind }: SenderDraft, field: keyof SenderDraft): Shape {
  const { properties } = SENDER_SETTINGS[kind];
  return (properties as Readonly<Record<string, Shape | undefined>>)[field] ?? {};
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.enum !== undefined) return shape.enum.includes(value);
  switch (shape.type) {
    case 'string':
      return typeof value === 'string' && fitsText(shape, value);
    case 'integer':
      return Number.isInteger(value) && isWithin(Number(value), shape.minimum, shape.maximum);
    case 'array':
      return Array.isArray(value) && fitsList(shape, value);
    case 'object':
      return Object.entries(shape.properties ?? {}).every(([name, each]) =>
        fits(each, (value as Readonly<Record<string, unknown>>)[name]),
      );
    default:
      return true;
  }
}

function fitsText({ pattern, minLength, maxLength }: Shape, text: string): boolean {
  return isWithin(text.length, minLength, maxLength) && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

function fitsList({ items = {}, maxItems }: Shape, list: readonly unknown[]): boolean {
  return isWithin(list.length, 0, maxItems) && list.every((each) => fits(items, each));
}

function isWithin(value: number, minimum = -Infinity, maximum = Infinity): boolean {
  return value >= minimum && value <= maximum;
}
