// Reading the fields of an answer, each looked at before it is used.

export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
