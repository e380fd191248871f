// The zone that a page shows its times in: the member's own, or the browser's where none was chosen.
import { createContext, useContext } from 'react';
import { browserZone } from './zones.ts';

export const UserZoneContext = createContext<string | undefined>(undefined);

export function useUserZone(): string {
  return useContext(UserZoneContext) ?? browserZone();
}
