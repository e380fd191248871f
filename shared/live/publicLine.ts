// The updates that a page without a session gets while it is open: share links are opened by people who have no account.
import { getServerInfo } from '../api/system.ts';
import type { OpenServerInfo } from '../protocol/api/system.ts';
import { openLine } from './openLine.ts';

/** Called first, and whenever the installation's description of itself changes. The result ends it. */
export function listenPublicly(onInfo: (info: OpenServerInfo) => void): () => void {
  // A gateway that refuses the line, such as one of another make, is tried again as after any break. What it answers to a call tells
  // whether a backup is being restored.
  const { line, close } = openLine({ greeting: () => ({ type: 'public' }), onRefused: () => void getServerInfo() });
  line.listen(['server'], (message) => {
    if (message.type === 'server') onInfo(message.info);
  });
  return close;
}
