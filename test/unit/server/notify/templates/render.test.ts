import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_TEXT_LIMIT, oneLine, SMS_SEGMENTS_LIMIT } from '../../../../../server/notify/templates/escaping.ts';
import { renderText } from '../../../../../server/notify/templates/render.ts';
import { SENDER_KINDS, type SenderKind } from '../../../../../shared/protocol/notify/notifyWords.ts';
import { smsSize } from '../../../../../shared/protocol/notify/smsSegments.ts';
import {
  TEMPLATE_VARIABLES,
  type VariableName,
  type VariableValues,
} from '../../../../../shared/protocol/notify/templateVariables.ts';

const EXAMPLES = Object.fromEntries(TEMPLATE_VARIABLES.map(({ name, example }) => [name, example])) as VariableValues;

function valuesWith(changes: Partial<Record<VariableName, string>>): VariableValues {
  return { ...EXAMPLES, ...changes };
}

interface Given {
  readonly kind: SenderKind;
  readonly subject?: string;
  readonly body: string;
}

function render({ kind, subject = '', body }: Given, values: VariableValues = EXAMPLES, limits: string[] = []) {
  return renderText({ subject, body }, values, { kind, onLimit: ({ name }) => void limits.push(name) });
}

/** Halves of pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
const NASTY = '{{event.id}} $t(x) {{- event.id}} $& \\ "q"\r\nBcc: x\u0000\u202e<b>';

describe('a template is filled', () => {
  it('with each variable of the list', () => {
    for (const { name, example } of TEMPLATE_VARIABLES) {
      expect(render({ kind: 'email', body: `a {{ ${name} }} b` })?.body).toBe(`a ${example} b`);
    }
  });

  it.each(SENDER_KINDS)('once: what looks like a variable in a name stays a name (%s)', (kind) => {
    const text = render(
      { kind, body: '"{{device.name}}{{event.id}}"' },
      valuesWith({ 'device.name': '{{event.id}} $t(x) {{- event.id}}$&' }),
    );
    expect(text?.body).toBe('"{{event.id}} $t(x) {{- event.id}}$&48213"');
  });

  it('whatever the values are, with exactly them', () => {
    const piece = fc.constantFrom('{{', '}}', '{{event.id}}', '$t(', ')', '$1', 'a', ' ', '{{-', ',');
    const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => `x${parts.join('')}x`);
    fc.assert(
      fc.property(name, name, (device, driver) => {
        const values = valuesWith({ 'device.name': device, 'event.driver': driver });
        const body = '{{device.name}}|{{event.driver}}|{{device.name}}';
        expect(render({ kind: 'sms', body }, values)?.body).toBe(`${device}|${driver}|${device}`);
      }),
    );
  });
});

describe('values are escaped for where they go', () => {
  const values = valuesWith({ 'device.name': NASTY });

  it('a subject is one line without control characters', () => {
    for (const kind of ['email', 'push'] as const) {
      const subject = render({ kind, subject: 'At {{device.name}}', body: 'x' }, values)?.subject;
      expect(subject).toBe('At {{event.id}} $t(x) {{- event.id}} $& \\ "q" Bcc: x <b>');
    }
  });

  it('a webhook gets the text as it was, in JSON', () => {
    const body = render({ kind: 'webhook', body: '{"name": "{{device.name}}"}' }, values)?.body ?? '';
    expect(JSON.parse(body)).toEqual({ name: '{{event.id}} $t(x) {{- event.id}} $& \\ "q"\nBcc: x\u202e<b>' });
  });

  it('a webhook gets JSON whatever a name is', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const body = render(
          { kind: 'webhook', body: '{"n": ["{{device.name}}"]}' },
          valuesWith({ 'device.name': name }),
        );
        expect(() => JSON.parse(body?.body ?? '')).not.toThrow();
      }),
    );
  });

  it('half of a character becomes the sign for what can not be read', () => {
    for (const kind of SENDER_KINDS) {
      const halves = valuesWith({ 'device.name': 'a\ud800b', 'event.driver': '😀' });
      const text = render({ kind, subject: '{{device.name}}', body: '"{{device.name}} {{event.driver}}"' }, halves);
      expect(text).toEqual({ subject: 'a\ufffdb', body: '"a\ufffdb 😀"' });
    }
  });

  it('a log gets one line', () => {
    const body = render({ kind: 'syslog', body: 'a\nb {{device.name}}' }, values)?.body ?? '';
    expect(body).toMatch(/^a b \{\{event\.id\}\}/);
    expect(body).not.toMatch(/\p{Cc}/u);
  });

  it('mail and text messages keep line breaks, and nothing else that controls', () => {
    for (const kind of ['email', 'sms', 'push'] as const) {
      expect(render({ kind, body: '{{device.name}}' }, values)?.body).toContain('"q"\nBcc: x\u202e<b>');
    }
  });

  it('one line stays one line', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        expect(oneLine(given)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe('lines of people', () => {
  it('go where all their variables are empty, and blank lines do not pile up', () => {
    const body = 'A\n\nDriver: {{event.driver}}\n\nEnd: {{event.end}} {{event.id}}\nB';
    const values = valuesWith({ 'event.driver': '', 'event.end': '' });
    expect(render({ kind: 'email', body }, values)?.body).toBe('A\n\nEnd:  48213\nB');
    expect(render({ kind: 'syslog', body: 'driver="{{event.driver}}"' }, values)?.body).toBe('driver=""');
  });
});

describe('a filled text has a bound', () => {
  const long = valuesWith({ 'digest.lines': 'x'.repeat(4_000) });
  const body = '{{digest.lines}}'.repeat(30);

  it.each(['email', 'syslog', 'push'] as const)('and is cut there: %s', (kind) => {
    const limits: string[] = [];
    const length = render({ kind, body }, long, limits)?.body.length ?? 0;
    expect(length).toBe({ email: MESSAGE_TEXT_LIMIT.max, syslog: 8_000, push: 2_000 }[kind]);
    expect(limits).toEqual([MESSAGE_TEXT_LIMIT.name]);
  });

  it('of ten segments in a text message', () => {
    const limits: string[] = [];
    const text = render({ kind: 'sms', body }, long, limits)?.body ?? '';
    expect(smsSize(text).segments).toBe(SMS_SEGMENTS_LIMIT.max);
    expect(limits).toEqual([SMS_SEGMENTS_LIMIT.name]);
  });

  it('beyond which a webhook is not sent, because half of a JSON text is none', () => {
    const limits: string[] = [];
    expect(render({ kind: 'webhook', body: `"${body}"` }, long, limits)).toBeUndefined();
    expect(limits).toEqual([MESSAGE_TEXT_LIMIT.name]);
  });
});
