// What terminals say of themselves: remembered for whoever asks, and told to whoever listens.
import { deviceOf } from './positionReports.ts';
import type { DeviceRegistry } from './registry.ts';
import type { ReportFeed } from './reportFeed.ts';
import type { TerminalFacts } from './terminalFacts.ts';
import type { TerminalSession } from './terminalSession.ts';

export interface NoteFactsDeps {
  readonly registry: Pick<DeviceRegistry, 'learn'>;
  readonly feed: Pick<ReportFeed, 'tell'>;
  readonly now: () => number;
}

export function noteFacts(
  session: TerminalSession,
  facts: TerminalFacts,
  { registry, feed, now }: NoteFactsDeps,
): void {
  registry.learn(session.deviceId, facts);
  const { attributes } = facts;
  if (attributes === undefined) return;
  feed.tell({ kind: 'attributes', device: deviceOf(session), attributes, receivedAtMs: now() });
}

/** Once more than after its sign-in, where its answer was lost or is another one by now. Never fails. */
export async function askAttributes(session: TerminalSession, deps: NoteFactsDeps): Promise<void> {
  const attributes = await session.query({ kind: 'queryAttributes' }, 'attributesReply');
  if (attributes.ok) noteFacts(session, { attributes: attributes.answer }, deps);
}
