// The parts that the schemas of records are made of. A schema stands once, beside the record's subject: its type, the check of
// requests, the writing of answers, the OpenAPI document and the pages' reading of answers all come from it.
//
// The builders are imported from `typebox/type` by name, so that a page's bundle keeps only those that it uses (1.5 kB,
// compressed; the package's `Type` object brings 11).
import * as Type from 'typebox/type';
import type { WallMs } from '../time.ts';

/** A read-only record of this schema. */
export type RecordOf<Schema extends Type.TSchema> = Frozen<Type.Static<Schema>>;

// A mapped type keeps lists lists, and tuples tuples.
type Frozen<Value> = Value extends Primitive
  ? Value
  : Value extends object
    ? // Lists stay lists here, and tuples tuples.
      { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

// Numbers with a unit are objects to the compiler, and nothing but numbers all the same.
type Primitive = string | number | bigint | boolean | null | undefined | symbol;

/** What comes in has no other fields. */
export const closed = { additionalProperties: false } as const;

export const Text = Type.String();
export const Flag = Type.Boolean();
export const Count = Type.Integer({ minimum: 0 });
export const Id = Type.Integer();
/** Milliseconds since the epoch; 0 for none. */
export const Timestamp = Type.Unsafe<WallMs>(Type.Integer());

/** No control characters, which PostgreSQL, logs and headers each take badly in their own way. */
const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$';

export function LineOfText(maxLength: number) {
  return Type.String({ maxLength, pattern: ONE_LINE });
}

/** Something that is named in a call: an id, a user name. */
export const ShortText = Type.String({ minLength: 1, maxLength: 256, pattern: ONE_LINE });

/**
 * One of these texts. `unknown`: the text that a page reads instead of one that it does not know, which a later gateway may send;
 * the first of them when left out.
 */
export function OneOf<const Value extends string>(values: readonly Value[], unknown?: Value) {
  return Type.Unsafe<Value>(Type.Enum([...values], unknown === undefined ? {} : { default: unknown }));
}

export function Nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/**
 * Fields of any name. TypeBox's own `Record` brings its parser of patterns along: ten kilobytes of a page's script, compressed.
 */
export const AnyFields = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  patternProperties: { '^.*$': {} },
});

/** The version of a record that a change was made on. */
export const Version = Type.Integer({ minimum: 1 });
/** The same in a query. */
export const VersionText = Type.String({ pattern: '^[1-9]\\d{0,8}$' });
/** A record's number in an address or a query. */
export const IdText = Type.String({ pattern: '^[1-9]\\d{0,14}$' });

/** The answer of a call that says only that it is done. */
export const Nothing = Type.Object({});
