// What a map says of its background. Whether it is drawn is asked of a real browser.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import type { BackgroundState } from '../../../../shared/ui/map/background.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';

interface Shown {
  readonly background: BackgroundState;
  readonly isStreetLevel?: boolean;
  readonly permission?: readonly string[];
}

async function show({ background, isStreetLevel = true, permission = [] }: Shown): Promise<void> {
  planGateway({ user: { permission: [...permission] } });
  const map = { setScheme: () => undefined, close: () => undefined };
  await renderPage(
    <Frame title="Map">
      {() => (
        <main>
          <MapNotice state={{ kind: 'ready', map, background, isStreetLevel }} />
        </main>
      )}
    </Frame>,
  );
}

test.each([
  { background: 'built-in', permission: [], text: /^No street map is set up\.$/ },
  { background: 'built-in', permission: ['system'], text: /^No street map is set up\. Set MAP_PMTILES/ },
  { background: 'streets-stand-in', permission: [], text: /^Can't read the street map\. A simple world map is shown/ },
  { background: 'streets-stand-in', permission: ['system'], text: /Check the file that MAP_PMTILES names/ },
  { background: 'stand-in', permission: ['system'], text: /^Can't reach the map server\./ },
] as const)('$background is told to those with $permission, and can be closed', async ({ text, ...shown }) => {
  await show(shown);
  await screen.findByText(text);
  await userEvent.click(screen.getByLabelText('Close'));
  expect(screen.queryByText(text)).toBeNull();
});

test.each([
  { background: 'built-in', isStreetLevel: false },
  { background: 'configured' },
  { background: 'streets' },
] as const)('nothing is said of $background where no street is missing', async (shown) => {
  await show({ ...shown, permission: ['system'] });
  expect(screen.queryByRole('alert')).toBeNull();
});
