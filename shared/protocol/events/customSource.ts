// How an event type of an administrator's own is recognized in the reports of a terminal.
import * as Type from 'typebox/type';
import { closed, Nullable, OneOf, type RecordOf } from '../api/records.ts';

const Byte = Type.Integer({ minimum: 0, maximum: 0xff });
const Word = Type.Integer({ minimum: 0, maximum: 0xffffffff });

/** Bytes that are a big-endian number; they match when the bits of the mask have this value. */
export const BytesMatch = Type.Object(
  {
    /** The longest item has 255 bytes, so that every width fits behind the last offset. */
    offset: Type.Integer({ minimum: 0, maximum: 250 }),
    width: Type.Integer({ minimum: 1, maximum: 4 }),
    /** 0, with a value of 0: any bytes, as long as they are there. */
    mask: Word,
    value: Word,
  },
  closed,
);
export type BytesMatch = RecordOf<typeof BytesMatch>;

export const CUSTOM_FORMS = ['held', 'momentary'] as const;
/** `held`: lasts as long as each position has the item with the value. `momentary`: over as soon as it was reported. */
export type CustomForm = (typeof CUSTOM_FORMS)[number];

export const CustomSource = Type.Union([
  /** An additional item of a position. */
  Type.Object({ kind: OneOf(['position-item']), itemId: Byte, match: BytesMatch, form: OneOf(CUSTOM_FORMS) }, closed),
  /** A message 0x0900, by its type. Always momentary: nothing says when the condition is over. */
  Type.Object(
    {
      kind: OneOf(['passthrough']),
      passthroughType: Byte,
      /** Match for the data after the type; null: any data. */
      match: Nullable(BytesMatch),
    },
    closed,
  ),
]);
export type CustomSource = RecordOf<typeof CustomSource>;

/** The fields of a match that can never apply, within the bounds of the schema. */
export function faultsOfMatch({ width, mask, value }: BytesMatch): Partial<Record<'mask' | 'value', 'out-of-range'>> {
  if (mask >= 256 ** width) return { mask: 'out-of-range' };
  return (value & mask) >>> 0 === value ? {} : { value: 'out-of-range' };
}
