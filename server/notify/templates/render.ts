// Fills templates, by i18next's interpolation. Values are filled in once: a name that looks like a variable stays a name.
import i18next from 'i18next';
import type { TemplateText } from '../../../shared/protocol/api/notify/templates.ts';
import { isPersonal, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import type { VariableValues } from '../../../shared/protocol/notify/templateVariables.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { valueInBody, valueInSubject, wholeBody, wholeSubject } from './escaping.ts';

export interface RenderedText {
  readonly subject: string;
  readonly body: string;
}

export interface Rendering {
  readonly kind: SenderKind;
  readonly onLimit: OnLimit;
}

// Values are escaped for their destination, not for HTML. `skipOnVariables`: the interpolation goes on after a filled-in value.
const interpolation = { escapeValue: false, skipOnVariables: true, maxReplaces: 10_000 };
const instance = i18next.createInstance(
  { initAsync: false, lng: 'en', resources: {}, keySeparator: false, interpolation },
  (error: unknown) => {
    if (error) throw new Error('templates cannot be filled', { cause: error });
  },
);

/** Undefined for a body that becomes larger than the kind allows, and can't be cut. */
export function renderText(
  text: TemplateText,
  values: VariableValues,
  { kind, onLimit }: Rendering,
): RenderedText | undefined {
  const template = isPersonal(kind) ? withoutEmptyLines(text.body, values) : text.body;
  const filled = fill(template, values, (value) => valueInBody(kind, value));
  const body = wholeBody(kind, filled, onLimit);
  if (body === undefined) return undefined;
  return { subject: wholeSubject(fill(text.subject, values, valueInSubject)), body };
}

function fill(text: string, values: VariableValues, inPlace: (value: string) => string): string {
  const escaped = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inPlace(value)]));
  return instance.services.interpolator.interpolate(text, escaped, 'en', {});
}

const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;

/** Removes lines whose variables are all empty: labels without a value are useless. */
function withoutEmptyLines(template: string, values: VariableValues): string {
  const byName = new Map<string, string>(Object.entries(values));
  const lines = template.split('\n').filter((line) => {
    const names = [...line.matchAll(PLACEHOLDER)].map((match) => (match[1] ?? '').trim());
    return names.length === 0 || names.some((name) => byName.get(name) !== '');
  });
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}
