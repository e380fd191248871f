import '../../shared/player/videoPage.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../../shared/i18n/start.ts';
import { PlaybackPage } from './PlaybackPage.tsx';

void startI18n({ namespaces: ['Player'] });

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <PlaybackPage />
  </StrictMode>,
);
