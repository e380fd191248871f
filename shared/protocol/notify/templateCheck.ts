// The check of a template's text. Pure: the page runs it while a text is typed, the gateway before it is stored.

import { jsonProblemAt } from './jsonProblem.ts';
import type { SenderKind } from './notifyWords.ts';
import { isVariable } from './templateVariables.ts';

export const TEXT_PROBLEMS = ['unknown-variable', 'malformed-variable', 'variable-outside-text', 'not-json'] as const;
type TextProblemCode = (typeof TEXT_PROBLEMS)[number];

export interface TextProblem {
  readonly code: TextProblemCode;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  /** The text at that place, cut to what fits into a message. */
  readonly name: string;
}

/** A place in a text that a value is filled into. */
interface Placeholder {
  readonly at: number;
  readonly name: string;
}

const MAX_SHOWN = 40;

/** The first problem of a text; undefined if it can be filled. There is no logic: a placeholder is only the name of a variable. */
export function checkTemplateText(text: string): TextProblem | undefined {
  const malformed = malformedAt(text);
  const unknown = placeholdersOf(text).find(({ name }) => !isVariable(name));
  if (malformed !== undefined && (unknown === undefined || malformed <= unknown.at)) {
    return problemAt(text, malformed, { code: 'malformed-variable', name: restOfLine(text, malformed) });
  }
  return unknown && problemAt(text, unknown.at, { code: 'unknown-variable', name: unknown.name });
}

/** Like `checkTemplateText`, but a webhook's body must also be JSON once its variables, which stand only in strings, are filled. */
export function checkTemplateBody(kind: SenderKind, text: string): TextProblem | undefined {
  const problem = checkTemplateText(text);
  return problem ?? (kind === 'webhook' ? checkJson(text) : undefined);
}

function checkJson(text: string): TextProblem | undefined {
  const outside = placeholdersOf(text).find(({ at }) => !isInString(text, at));
  const broken = jsonProblemAt(text);
  if (outside !== undefined && (broken === undefined || outside.at <= broken)) {
    return problemAt(text, outside.at, { code: 'variable-outside-text', name: outside.name });
  }
  return broken === undefined
    ? undefined
    : problemAt(text, broken, { code: 'not-json', name: restOfLine(text, broken) });
}

/** Braces of a placeholder are characters of a string like others, so the text with its placeholders is JSON, or is not. */
function isInString(text: string, at: number): boolean {
  let isInside = false;
  for (let index = 0; index < at; index++) {
    const character = text[index];
    if (isInside && character === '\\') index++;
    else if (character === '"') isInside = !isInside;
  }
  return isInside;
}

const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;

function placeholdersOf(text: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({
    at: match.index,
    name: (match[1] ?? '').trim(),
  }));
}

/**
 * The first place of two braces that are part of no placeholder, of a placeholder that asks for more than a value, or of the
 * interpolation's nesting.
 */
function malformedAt(text: string): number | undefined {
  const odd = placeholdersOf(text).find(({ name }) => name === '' || name.startsWith('-') || name.includes(','));
  const blanked = text.replace(PLACEHOLDER, (found) => ' '.repeat(found.length));
  // With three braces, the interpolation takes the third as part of the name.
  const loose = [text.search(/\{{3}/), blanked.search(/\{\{/), blanked.search(/\$t\(/)].filter((at) => at >= 0);
  const places = odd === undefined ? loose : [odd.at, ...loose];
  return places.length === 0 ? undefined : Math.min(...places);
}

function problemAt(text: string, at: number, { code, name }: Pick<TextProblem, 'code' | 'name'>): TextProblem {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { code, line: before.length, column, name: name.slice(0, MAX_SHOWN) };
}

function restOfLine(text: string, at: number): string {
  return (text.slice(at).split('\n', 1)[0] ?? '').trim();
}
