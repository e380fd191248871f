import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { TopBarPage } from '../../../pages/innerpage/topbar/TopBarPage.tsx';
import { planGateway, renderPage } from '../../support/browser/renderPage.tsx';

describe('the stand-alone top bar', () => {
  test('shows the bar under an empty title, whatever the server is called (S-2.1.16)', async () => {
    document.title = 'before';
    planGateway({ server: { web_title: 'ACME' } });
    await renderPage(<TopBarPage />);
    expect(screen.getByText('ACME')).toBeDefined();
    expect(document.title).toBe('');
  });
});
