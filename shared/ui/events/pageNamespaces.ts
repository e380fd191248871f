import { EVENT_NAMESPACES } from './namespaces.ts';

/** For pages with the detail panel; what its player says is loaded with the player. */
export const EVENT_PAGE_NAMESPACES = [...EVENT_NAMESPACES, 'Events', 'Map'] as const;
