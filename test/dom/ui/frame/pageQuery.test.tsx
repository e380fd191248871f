import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { innerPageLink } from '../../../../shared/ui/frame/innerPageLink.ts';
import { pageQueryOf, setPageQuery, usePageQuery } from '../../../../shared/ui/frame/pageQuery.ts';

function Page() {
  return <output>{usePageQuery()}</output>;
}

const shown = () => screen.getByRole('status').textContent;
const restore = (detail: unknown) =>
  act(() => void window.dispatchEvent(new CustomEvent('fleetglass:query-restored', { detail })));

describe('the query of a page', () => {
  beforeEach(() => act(() => setPageQuery('', 'replace')));
  afterEach(cleanup);

  test('is that of its address, without what says how the address is opened', () => {
    expect(pageQueryOf('?types=a%2Cb&sid=x&nontop=1&s%69d=y&text=%E9%99%B3+x')).toBe('types=a,b&text=%E9%99%B3+x');
    expect(pageQueryOf('')).toBe('');
  });

  test('stands in the address of a page that is alone, where Back finds the one before', () => {
    render(<Page />);
    const entries = window.history.length;
    act(() => setPageQuery('types=a', 'push'));
    expect([shown(), window.location.search, window.history.length]).toEqual(['types=a', '?types=a', entries + 1]);
    act(() => setPageQuery('types=b', 'replace'));
    expect([window.location.search, window.history.length]).toEqual(['?types=b', entries + 1]);
    window.history.replaceState(null, '', '?types=a');
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
    expect(shown()).toBe('types=a');
  });

  test('follows the shell while the page is there', () => {
    const page = render(<Page />);
    expect(document.documentElement.hasAttribute('data-follows-query')).toBe(true);
    restore('types=c');
    expect(shown()).toBe('types=c');
    restore({ query: 'types=d' });
    expect(shown()).toBe('types=c');
    page.unmount();
    expect(document.documentElement.hasAttribute('data-follows-query')).toBe(false);
  });
});

test('a link between pages opens the shell in a new tab', () => {
  expect(innerPageLink({ src: '/innerpage/historyevent.html' }, 'types=a').href).toBe('/historyevent?types=a');
  expect(innerPageLink({ src: '/innerpage/historyevent.html' }, '').href).toBe('/historyevent');
});
