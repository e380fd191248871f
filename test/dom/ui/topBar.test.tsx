import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { TopBar } from '../../../shared/ui/TopBar.tsx';
import { planGateway, renderPage, settle } from '../../support/browser/renderPage.tsx';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';

describe('the top bar', () => {
  test('shows a small logo and the title (S-2.3.1, S-2.3.2)', async () => {
    planGateway({ server: { web_title: 'ACME' } });
    await renderPage(<TopBar />);
    const bar = within(screen.getByRole('banner'));
    expect(bar.getByRole('img').getAttribute('height')).toBe('28');
    expect(bar.getByText('ACME')).toBeDefined();
  });

  test('offers three languages, each named in itself, with their values in order (S-2.3.4)', async () => {
    planGateway();
    await renderPage(<TopBar />);
    const select = screen.getByRole('combobox', { name: 'Language' });
    const options = within(select).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ value, text, lang }) => [value, text, lang])).toEqual([
      ['en', 'English', 'en'],
      ['zh-TW', '繁體中文', 'zh-Hant-TW'],
      ['jp', '日本語', 'ja'],
    ]);
  });

  test('changes the texts at once and stores the choice (S-4.9)', async () => {
    planGateway();
    await renderPage(<TopBar search={{ onSearch: () => undefined }} />);
    await userEvent.selectOptions(screen.getByRole('combobox'), 'jp');
    await settle();
    expect(screen.getByRole('searchbox').getAttribute('placeholder')).toBe(readTranslation('jp', 'TopBar').Search);
    expect(localStorage.getItem('language')).toBe('jp');
    expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('jp');
  });

  test('has no search unless a page asks for one (S-2.3.3)', async () => {
    planGateway();
    await renderPage(<TopBar />);
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('hidden, it shows nothing and cleans up all the same', async () => {
    planGateway();
    await renderPage(<TopBar hidden />);
    expect(screen.queryByRole('banner')).toBeNull();
  });
});

describe('the search', () => {
  test('has its placeholder and gives each keystroke to the storage and the page (S-4.8)', async () => {
    planGateway();
    const onSearch = vi.fn();
    await renderPage(<TopBar search={{ onSearch }} />);
    const input = screen.getByPlaceholderText('Search');
    const stored: (string | null)[] = [];
    for (const key of ['a', 'b', 'c']) {
      await userEvent.type(input, key);
      stored.push(localStorage.getItem('search'));
    }
    expect(stored).toEqual(['a', 'ab', 'abc']);
    expect(onSearch.mock.calls).toEqual([['a'], ['ab'], ['abc']]);
  });

  test('restores the stored text and tells the page of it once (S-4.6)', async () => {
    planGateway();
    localStorage.setItem('search', 'KAA-1');
    const onSearch = vi.fn();
    await renderPage(<TopBar search={{ onSearch }} />);
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('KAA-1');
    expect(onSearch.mock.calls).toEqual([['KAA-1']]);
  });

  test('a page with nothing stored is told of nothing', async () => {
    planGateway();
    const onSearch = vi.fn();
    await renderPage(<TopBar search={{ onSearch }} />);
    expect(onSearch).not.toHaveBeenCalled();
  });

  test('a new text from outside overwrites what was typed, in the storage too (S-4.7)', async () => {
    planGateway();
    localStorage.setItem('search', 'old');
    await renderPage(<Given />);
    const input = screen.getByRole<HTMLInputElement>('searchbox');
    expect(input.value).toBe('old');
    fireEvent.change(input, { target: { value: 'typed' } });
    await userEvent.click(screen.getByRole('button'));
    expect(input.value).toBe('given');
    expect(localStorage.getItem('search')).toBe('given');
    await userEvent.type(input, '!');
    expect(input.value).toBe('given!');
  });
});

function Given() {
  const [text, setText] = useState<string>();
  return (
    <>
      <TopBar search={{ text, onSearch: () => undefined }} />
      <button type="button" onClick={() => setText('given')} />
    </>
  );
}
