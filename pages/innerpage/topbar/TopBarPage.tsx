import { useEffect } from 'react';
import { pageFlags } from '../../../shared/api/pageFlags.ts';
import { TopBar } from '../../../shared/ui/TopBar.tsx';

/** The top bar by itself, for sites that put it above pages of their own; its title stays empty for their sake. */
export function TopBarPage() {
  useEffect(() => {
    document.title = '';
  }, []);
  return <TopBar hidden={pageFlags().nontop} />;
}
