// Names of fields as columns have them: `timeZone` is `time_zone`.

export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : '';

export function snakeCase<const Name extends string>(name: Name): SnakeCase<Name> {
  // The compiler knows no patterns; the type says the same as they do.
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
}
