import type { MouseEvent } from 'react';
import type { MenuPage } from '../../shared/protocol/menuPages.ts';
import { shellAddress } from './address.ts';

export interface PageLinkProps {
  readonly href: string;
  readonly onClick: (event: MouseEvent) => void;
}

/** Makes an element a link to a page that a plain click hands to the menu handler; a click for a new tab stays one. */
export function pageLink(page: MenuPage, onChoose: (page: MenuPage) => void, query = ''): PageLinkProps {
  return {
    href: shellAddress(page, query),
    onClick: (event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onChoose(page);
    },
  };
}
