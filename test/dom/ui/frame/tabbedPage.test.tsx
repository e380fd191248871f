import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { lazyPart } from '../../../../shared/ui/chunks.tsx';
import { TabbedPage } from '../../../../shared/ui/frame/TabbedPage.tsx';
import { planGateway, renderPage, watchWarnings } from '../../../support/browser/renderPage.tsx';

const CONTENTS = {
  missing: lazyPart<object>('Missing', () => Promise.reject(new TypeError('cannot load /assets/Missing-9.js'))),
  there: lazyPart<object>('There', async () => () => 'All of it'),
};

function Page() {
  const [tab, setTab] = useState<keyof typeof CONTENTS>('missing');
  const Content = CONTENTS[tab];
  const titles = [
    ['missing', 'First'],
    ['there', 'Second'],
  ] as const;
  return (
    <TabbedPage tab={tab} titles={titles} label="Lists" onChange={setTab}>
      <Content />
    </TabbedPage>
  );
}

test('S-8.14 a part that does not load is missing on its own tab alone, and each panel has the name of its tab', async () => {
  watchWarnings();
  planGateway();
  await renderPage(<Page />);
  await screen.findByText(/didn't load \(Missing-9\.js\)/);
  screen.getByRole('tabpanel', { name: 'First' });
  await userEvent.setup().click(screen.getByRole('tab', { name: 'Second' }));
  await screen.findByText('All of it');
  expect(screen.queryByText(/didn't load/)).toBeNull();
  expect(screen.getByRole('tabpanel', { name: 'Second' }).textContent).toBe('All of it');
});
