import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { expectWords } from '../../../support/browser/words.ts';

test.each(['en', 'zh-TW', 'jp'] as const)(
  'a day is yyyy-MM-dd, also to screen readers: %s (S-9.11)',
  async (locale) => {
    planGateway();
    await renderPage(<FilterDay label="Day" value="2026-11-20" onChange={() => undefined} />, locale);
    const [input] = document.querySelectorAll<HTMLInputElement>('input');
    expect(input?.value.replace(/[\u2066-\u2069]/g, '')).toBe('2026-11-20');
    const opener = screen.getByRole('button', { name: /\d/ });
    expect(opener.getAttribute('aria-label')).toMatch(/2026-11-20(?!\d)/);
    act(() => opener.click());
    await settle();
    const said = [...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'));
    expectWords([screen.getByRole('dialog').textContent, ...said].join('\n'), locale);
  },
);
