// JSON schemas in one line, for people: `{deviceid: text 1–256, channels?: [integer 1–32] ≤ 8}`.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Longer lists of codes are counted: the machine-readable form has them. */
const MOST_CODES = 16;

/** Types and bounds of all fields. */
export function schemaText(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices !== undefined) return unique(choices.map(schemaText)).join(' or ');
  if (schema.const !== undefined) return codeText(schema.const);
  if (schema.enum !== undefined) return codesText(schema.enum);
  if (schema.properties !== undefined) return fieldsText(schema, (name, field) => `${name}: ${schemaText(field)}`);
  if (schema.items !== undefined) return `[${schemaText(schema.items)}]${bounds(schema.minItems, schema.maxItems)}`;
  return typeText(schema);
}

/** Names of the fields alone, and those of the objects in them down to the depth. */
export function namesText(schema: Schema, depth: number): string {
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return unique(choices.map((choice) => namesText(choice, depth)).filter(Boolean)).join(' or ');
  if (schema.items !== undefined) {
    const items = namesText(schema.items, depth);
    return items === '' ? '' : `[${items}]`;
  }
  if (schema.properties === undefined || depth === 0) return '';
  return fieldsText(schema, (name, field) => {
    const inner = namesText(field, depth - 1);
    return inner === '' ? name : `${name}: ${inner}`;
  });
}

function choicesOf({ anyOf, oneOf }: Schema): readonly Schema[] | undefined {
  return anyOf ?? oneOf;
}

function fieldsText({ properties = {}, required = [] }: Schema, text: (name: string, field: Schema) => string): string {
  const fields = Object.entries(properties);
  return `{${fields.map(([name, field]) => text(required.includes(name) ? name : `${name}?`, field)).join(', ')}}`;
}

function typeText({ type, pattern, minLength, maxLength, minimum, maximum }: Schema): string {
  const digits = /^\^\\d\{(\d+),(\d+)\}\$$/.exec(pattern ?? '');
  if (digits !== null) return `digits${bounds(Number(digits[1]), Number(digits[2]))}`;
  if (type === 'string') return `text${bounds(minLength, maxLength)}`;
  if (type === undefined) return 'any';
  return `${[type].flat().join(' or ')}${bounds(minimum, maximum)}`;
}

/** With exclusive bounds left to the machine-readable form. */
function bounds(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return least === 0 ? '' : ` ≥ ${least}`;
  if (least === undefined) return ` ≤ ${most}`;
  return least === most ? ` ${most}` : ` ${least}–${most}`;
}

function codesText(codes: readonly unknown[]): string {
  return codes.length > MOST_CODES ? `one of ${codes.length} codes` : codes.map(codeText).join('/');
}

function codeText(code: unknown): string {
  return code === '' ? "''" : String(code);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
