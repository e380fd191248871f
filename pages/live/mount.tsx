import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../../shared/i18n/start.ts';
import { LivePage, type LivePageProps } from './LivePage.tsx';

export function mountLivePage(props: LivePageProps): void {
  void startI18n({ namespaces: ['Live', 'Player', 'Errors'] });
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  createRoot(root).render(
    <StrictMode>
      <LivePage {...props} />
    </StrictMode>,
  );
}
