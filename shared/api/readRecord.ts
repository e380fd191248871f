// Reading what the gateway answers, by the record's schema. Another server, or another version, may stand behind the same
// contract: a field that is missing or of another kind gets a value that shows nothing and breaks nothing.
import type { Static, TSchema } from 'typebox/type';
import type { RecordOf } from '../protocol/api/records.ts';

/** What a schema says of a value, as JSON Schema has it. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * Total. Items of a list that are of another kind are left out, and so are fields that may be missing; fields that the schema
 * does not name are dropped.
 */
export function readRecord<Schema extends TSchema>(schema: Schema, value: unknown): RecordOf<Schema> {
  return read(schema as Shape, value) as RecordOf<Schema> & Static<Schema>;
}

function read(shape: Shape, value: unknown): unknown {
  if (shape.anyOf !== undefined) return readOneOf(shape.anyOf, value);
  if ('const' in shape) return shape.const;
  if (shape.enum !== undefined) return fits(shape, value) ? value : (shape.default ?? shape.enum[0]);
  switch (shape.type) {
    case 'object':
      return readObject(shape, value);
    case 'array':
      return readList(shape.items ?? {}, value);
    case 'string':
      return fits(shape, value) ? value : '';
    case 'integer':
    case 'number':
      return readNumber(shape, fits(shape, value) ? (value as number) : 0);
    case 'boolean':
      return value === true;
    case 'null':
      return null;
    default:
      return value;
  }
}

/** Within the schema's bounds. */
function readNumber({ type, minimum = -Infinity, maximum = Infinity }: Shape, value: number): number {
  const whole = type === 'integer' ? Math.trunc(value) : value;
  return Math.min(Math.max(whole, minimum), maximum);
}

/** By the fields that tell them apart; the last of them where none fits: that is `null`, where a value may be null. */
function readOneOf(shapes: readonly Shape[], value: unknown): unknown {
  const fitting = shapes.filter((shape) => fits(shape, value));
  const chosen = fitting.find((shape) => hasItsTexts(shape, value)) ?? fitting[0] ?? shapes.at(-1);
  return chosen === undefined ? undefined : read(chosen, value);
}

/** Whether the fields that may be one of a few texts are one of those. */
function hasItsTexts({ properties = {} }: Shape, value: unknown): boolean {
  const given = isObject(value) ? value : {};
  return Object.entries(properties).every(
    ([name, shape]) => (shape.enum === undefined && !('const' in shape)) || fits(shape, given[name]),
  );
}

function readList(items: Shape, value: unknown): unknown {
  return Array.isArray(value) ? value.filter((item) => fits(items, item)).map((item) => read(items, item)) : [];
}

function readObject({ properties = {}, required = [], patternProperties }: Shape, value: unknown): unknown {
  const given = isObject(value) ? value : {};
  if (patternProperties !== undefined) return readEntries(Object.values(patternProperties)[0] ?? {}, given);
  const fields: [string, unknown][] = [];
  for (const [name, shape] of Object.entries(properties)) {
    const field = Object.hasOwn(given, name) ? given[name] : undefined;
    if (required.includes(name) || (field !== undefined && fits(shape, field))) fields.push([name, read(shape, field)]);
  }
  return Object.fromEntries(fields);
}

function readEntries(shape: Shape, given: Readonly<Record<string, unknown>>): unknown {
  const fitting = Object.entries(given).filter(([, value]) => fits(shape, value));
  return Object.fromEntries(fitting.map(([name, value]) => [name, read(shape, value)]));
}

/** Whether a value is of the schema's kind, whatever is in it. */
function fits(shape: Shape, value: unknown): boolean {
  if (shape.anyOf !== undefined) return shape.anyOf.some((each) => fits(each, value));
  if ('const' in shape) return value === shape.const;
  if (shape.enum !== undefined) return shape.enum.includes(value);
  switch (shape.type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
