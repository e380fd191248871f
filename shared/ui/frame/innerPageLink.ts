// Links from one framed page to another.
import type { MouseEvent } from 'react';
import { withPageFlags } from '../../api/pageFlags.ts';
import { addressOfPage, type MenuPage } from '../../protocol/menuPages.ts';
import { withQuery } from './pageQuery.ts';

export interface InnerPageLink {
  readonly href: string;
  readonly onClick: (event: MouseEvent) => void;
}

/** A plain click stays in the frame, whose shell follows; a click for a new tab opens the shell there. */
export function innerPageLink({ src }: Pick<MenuPage, 'src'>, query: string): InnerPageLink {
  return {
    href: withQuery(addressOfPage({ src }), query),
    onClick: (event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      window.location.assign(withPageFlags(query === '' ? src : `${src}?${query}`));
    },
  };
}
