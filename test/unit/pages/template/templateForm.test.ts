import { describe, expect, it } from 'vitest';
import {
  checkTemplate,
  contentOf,
  draftOf,
  hasText,
  languageWithProblem,
} from '../../../../pages/innerpage/template/templateForm.ts';
import { templateContent } from '../../../support/templateContents.ts';

const TEXTS = { noName: 'no name', of: ({ code }: { readonly code: string }, part: string) => `${part} ${code}` };

describe('the form of a template', () => {
  it('gives back what it was made of', () => {
    const text = { subject: 'S', body: ' B\n' };
    const content = templateContent({ fallback: 'jp', texts: { jp: text, 'zh-TW': text } });
    expect(contentOf(draftOf(content))).toEqual(content);
  });

  it('leaves out languages without a text, and subjects where the kind has none', () => {
    const draft = { ...draftOf(templateContent()), 'texts.jp.body': ' ', 'texts.zh-TW.subject': 'x' };
    expect(Object.keys(contentOf(draft).texts)).toEqual(['en', 'zh-TW']);
    const sms = contentOf({ ...draft, kind: 'sms' });
    expect(sms.texts).toEqual({ en: { subject: '', body: draft['texts.en.body'] } });
    expect(hasText({ ...draft, kind: 'sms' }, 'zh-TW')).toBe(false);
  });

  it('wants a name, a text in the fallback language, and whole texts in others', () => {
    const draft = { ...draftOf(templateContent()), name: ' ', fallback: 'jp', 'texts.zh-TW.subject': 'x' } as const;
    expect(checkTemplate(draft, TEXTS)).toEqual({
      name: 'no name',
      'texts.jp.subject': 'subject required',
      'texts.jp.body': 'body required',
      'texts.zh-TW.body': 'body required',
    });
    expect(checkTemplate(draftOf(templateContent()), TEXTS)).toEqual({});
  });

  it('shows a language with a problem, the present one first', () => {
    const wrong = new Set(['texts.zh-TW.body', 'texts.jp.subject']);
    expect(languageWithProblem('jp', (field) => wrong.has(field))).toBe('jp');
    expect(languageWithProblem('en', (field) => wrong.has(field))).toBe('zh-TW');
    expect(languageWithProblem('en', () => false)).toBeUndefined();
  });
});
