// Lines of the log for a support bundle. The kind of a field decides, not its text: a name can look like anything. So only texts
// that the product itself has written are kept. Pure.
import type { Pseudonyms } from './pseudonyms.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Line {
  readonly fields: Fields;
  readonly pseudonyms: Pseudonyms;
}

/** Fields whose texts are constants of the product; of `msg`, the part before a colon is one. */
const OWN_TEXTS: ReadonlySet<string> = new Set(['method', 'route', 'kind', 'part', 'signal', 'quality']);
const OWN_TEXT = /^[\w ():/*.-]{1,100}$/;
/** The name of a class, field or error: text with other characters is not a program's. */
const WORD = /^[\w.-]{1,60}$/;
/** The place where an error was thrown: the function, and the path from the package, the product's own folder or Node's module on. */
const FRAME = /^\s+at (?:async )?(?:([\w.<>$#]+) \()?(.+?)\)?$/;
const PLACES: readonly RegExp[] = [
  /^node:[\w/]+:\d+:\d+$/,
  /node_modules[/\\](?!.*node_modules[/\\])[\w@.+/\\-]+:\d+:\d+$/,
  /(?:dist|server|shared)[/\\](?!.*[/\\](?:dist|server|shared)[/\\])[\w@.+/\\-]+:\d+:\d+$/,
];
const CAUSE = /^caused by: (\w{1,60})\b/;
const MAX_STACK_LINES = 60;
const MAX_ITEMS = 50;

/** Undefined for text that is not a log line. */
export function scrubbedLine(line: string, pseudonyms: Pseudonyms): Fields | undefined {
  const fields = parse(line);
  if (fields === undefined) return undefined;
  const scrubbed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields).slice(0, MAX_ITEMS)) {
    if (WORD.test(name)) scrubbed[name] = scrubbedField(name, value, { fields, pseudonyms });
  }
  return scrubbed;
}

function scrubbedField(name: string, value: unknown, { fields, pseudonyms }: Line): unknown {
  if (isFields(value)) return scrubbedFields(name, value, pseudonyms);
  if (name === 'msg' && quotesError(fields)) return pseudonyms.of('text', String(value));
  return scrubbedValue(name, value, pseudonyms);
}

/** Whether the message is the error's own: that is so where the code has no message of its own. */
function quotesError({ msg, err }: Fields): boolean {
  return isFields(err) && typeof err.message === 'string' && err.message.startsWith(String(msg));
}

/** Errors are the only objects kept: field names of other objects may be from outside too. */
function scrubbedFields(name: string, fields: Fields, pseudonyms: Pseudonyms): Fields | undefined {
  return name === 'err' ? scrubbedError(fields, pseudonyms) : undefined;
}

function scrubbedValue(name: string, value: unknown, pseudonyms: Pseudonyms): unknown {
  switch (typeof value) {
    case 'boolean':
      return value;
    // Only coordinates are numbers with decimals.
    case 'number':
      return Number.isInteger(value) ? value : Math.round(value);
    case 'string':
      return scrubbedText(name, value, pseudonyms);
    default:
      return Array.isArray(value) ? value.length : undefined;
  }
}

function scrubbedText(name: string, text: string, pseudonyms: Pseudonyms): string {
  if (name === 'msg') return ownText(text.split(': ', 1)[0] ?? '') ?? pseudonyms.of('text', text);
  const own = OWN_TEXTS.has(name) ? ownText(text) : undefined;
  return own ?? pseudonyms.of('text', text);
}

function ownText(text: string): string | undefined {
  return OWN_TEXT.test(text) ? text : undefined;
}

/** The message may quote anything: only the type and the origin are kept. */
function scrubbedError({ type, code, message, stack }: Fields, pseudonyms: Pseudonyms): Fields {
  return {
    type: wordOf(type),
    code: wordOf(code),
    message: typeof message === 'string' ? pseudonyms.of('text', message) : undefined,
    stack: typeof stack === 'string' ? stackLines(stack) : undefined,
  };
}

function stackLines(stack: string): readonly string[] {
  return stack
    .split('\n')
    .slice(0, MAX_STACK_LINES)
    .flatMap((line) => {
      const cause = CAUSE.exec(line)?.[1];
      if (cause !== undefined) return [`caused by ${cause}`];
      const [, name = '', path = ''] = FRAME.exec(line) ?? [];
      const place = PLACES.map((pattern) => pattern.exec(path)?.[0]).find((found) => found !== undefined);
      return place === undefined ? [] : [`${name} ${place}`.trim()];
    });
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && WORD.test(value) ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
