// Why calls that edit templates are refused.
import type { TemplateProblems } from '../../../../shared/protocol/notify/templateProblems.ts';
import type { TemplateRefusal } from '../../../notify/acts/templates.ts';
import { type Refusal, Refused } from '../../kernel/envelope.ts';
import { recordRefusal } from '../../kernel/records/recordRoutes.ts';

const NO_TEMPLATE = {
  status: 404,
  code: 'no-such-template',
  message: "Template not found, or you don't have access to it.",
} as const;
const TOO_MANY_TEMPLATES = {
  status: 409,
  code: 'too-many-templates',
  message: "You've reached the limit of templates. Delete one first.",
} as const;
const TEMPLATE_IN_USE = {
  status: 409,
  code: 'template-in-use',
  message: 'Notification rules use this template. Select another template there first.',
} as const;

export function refusalOfTemplate(refused: TemplateRefusal): Refusal {
  switch (refused.kind) {
    case 'texts':
      return refusedTexts(refused.problems) ?? Refused.fields;
    case 'used':
      return TEMPLATE_IN_USE;
    default:
      return recordRefusal(refused, { gone: NO_TEMPLATE, tooMany: TOO_MANY_TEMPLATES });
  }
}

/** The refusal with the line of each text that can't be filled. Undefined when nothing is wrong. */
export function refusedTexts(problems: TemplateProblems): Refusal | undefined {
  const entries = Object.entries(problems);
  if (entries.length === 0) return undefined;
  const fields = Object.fromEntries(entries.map(([field, { code }]) => [field, code]));
  const placed = entries.flatMap(([field, problem]) => ('line' in problem ? [[field, placeOf(problem)] as const] : []));
  const places = placed.length === 0 ? {} : { places: Object.fromEntries(placed) };
  return { ...Refused.fields, data: { fields, ...places } };
}

function placeOf({ line, column, name }: { readonly line: number; readonly column: number; readonly name: string }) {
  return { line, column, name };
}
