import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { SidePanel } from '../../../pages/shell/SidePanel.tsx';
import { planGateway, renderPage } from '../../support/browser/renderPage.tsx';

describe('the side panel', () => {
  test('takes any child (S-2.1.10)', async () => {
    planGateway();
    await renderPage(
      <SidePanel source="" label="Filter">
        <label>
          {'Depth'}
          <input type="range" />
        </label>
      </SidePanel>,
    );
    expect(screen.queryByRole('slider')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    expect(screen.getByRole('slider', { name: 'Depth' })).toBeDefined();
  });

  test('closes when its source value changes, and only then (S-4.5)', async () => {
    planGateway();
    await renderPage(<Sourced />);
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    await userEvent.click(screen.getByRole('button', { name: 'same' }));
    expect(screen.queryByRole('button', { name: 'Close' })).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'other' }));
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Close' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    expect(screen.queryByRole('button', { name: 'Close' })).not.toBeNull();
  });

  test('closes by Escape', async () => {
    planGateway();
    await renderPage(<Sourced />);
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Close' })).toBeNull());
  });
});

function Sourced() {
  const [source, setSource] = useState(1);
  return (
    <SidePanel source={source} label="Filter">
      <button type="button" onClick={() => setSource(1)}>
        {'same'}
      </button>
      <button type="button" onClick={() => setSource(source + 1)}>
        {'other'}
      </button>
    </SidePanel>
  );
}
