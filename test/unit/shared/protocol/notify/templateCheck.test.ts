import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTemplateBody, checkTemplateText } from '../../../../../shared/protocol/notify/templateCheck.ts';
import { TEMPLATE_VARIABLES } from '../../../../../shared/protocol/notify/templateVariables.ts';
import { runs } from '../../../../support/runs.ts';

describe('the text of a template', () => {
  it('may use every variable of the list, with blanks around its name', () => {
    for (const { name } of TEMPLATE_VARIABLES)
      expect(checkTemplateText(`a {{${name}}}{{ ${name} }} b`)).toBeUndefined();
  });

  it('names the line and the column of a variable that does not exist', () => {
    expect(checkTemplateText('{{event.id}}\nat {{event.begin}}, {{devcie.name}}')).toEqual({
      code: 'unknown-variable',
      line: 2,
      column: 21,
      name: 'devcie.name',
    });
  });

  it.each([
    ['{{', 1],
    ['{{event.id', 1],
    ['{{event.id}', 1],
    ['{{event\n.id}}', 1],
    ['a {{}}', 3],
    ['{{- event.id}}', 1],
    ['{{event.id, uppercase}}', 1],
    ['{{event.id}} $t(x)', 14],
    ['{{{event.id}}}', 1],
    ['{{ {{event.id}} }}', 1],
  ])('has no logic and no half of a variable: %j', (text, column) => {
    expect(checkTemplateText(text)).toMatchObject({ code: 'malformed-variable', line: 1, column });
  });

  it('names the first of two problems', () => {
    expect(checkTemplateText('{{x}} {{')).toMatchObject({ code: 'unknown-variable', column: 1 });
    expect(checkTemplateText('{{ a {{x}}')).toMatchObject({ code: 'malformed-variable', column: 1 });
  });

  it('may have braces and dollars that are none of a variable', () => {
    expect(checkTemplateText('{a} }} { { $ t(x) $5 }')).toBeUndefined();
  });

  it('finds no names of what every object has', () => {
    expect(checkTemplateText('{{constructor}}')).toMatchObject({ code: 'unknown-variable' });
  });
});

describe('the body of a webhook', () => {
  const check = (text: string) => checkTemplateBody('webhook', text);

  it('is JSON with variables in its strings', () => {
    expect(check('{"id": "{{event.id}}",\n "{{device.id}}": ["a \\"{{event.type}}\\"", 1.5e3, null]}')).toBeUndefined();
    expect(checkTemplateBody('sms', 'not {JSON')).toBeUndefined();
  });

  it('has no variable outside of a string', () => {
    expect(check('{"id":\n {{event.id}}}')).toMatchObject({ code: 'variable-outside-text', line: 2, column: 2 });
  });

  it.each([
    ['{"a": 1,\n}', 2, 1],
    ['{"a": 1', 1, 8],
    ['', 1, 1],
    ['{"a": 1} 2', 1, 10],
    ['["a\nb"]', 1, 2],
    ["{'a': 1}", 1, 2],
    ['[01]', 1, 3],
    ['[1}', 1, 3],
  ])('says where it stops being JSON: %j', (text, line, column) => {
    expect(check(text)).toMatchObject({ code: 'not-json', line, column });
  });

  it('is taken exactly where JSON.parse takes it', () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '1',
      '-0.5',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      'x',
      '\\',
    );
    const text = fc.oneof(
      fc.array(tokens, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (given) => {
        fc.pre(!given.includes('{{') && !given.includes('$t('));
        expect(check(given) === undefined).toBe(isJson(given));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
