import type { ServerInfo } from '../protocol/api/system.ts';

/** Shown until the server names the installation, and where it names none. */
export const DEFAULT_TITLE = 'Fleetglass';

export function titleOf(info: ServerInfo | undefined): string {
  return info?.web_title?.trim() || DEFAULT_TITLE;
}
