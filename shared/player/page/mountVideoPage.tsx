import '../videoPage.css';
import { type ReactElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { removeSidFromAddress } from '../../api/pageFlags.ts';
import { leaveForRestore } from '../../ui/frame/leaveForRestore.ts';

/** Shows `page` in the element `root`, without waiting for its translations. */
export function mountVideoPage(page: ReactElement): void {
  removeSidFromAddress();
  leaveForRestore();
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
