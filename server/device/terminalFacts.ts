// What a terminal says of itself when it is asked, once after each sign-in.
import { type ReportedChannels, reportedChannels } from './channels.ts';
import type { AvAttributes } from './jt808/codec/messages/live.ts';
import type { ParameterItem } from './jt808/codec/messages/parameters.ts';
import type { TerminalAttributes } from './jt808/codec/messages/terminal.ts';
import { Parameter, parameterValue } from './jt808/codec/parameterValues.ts';
import { idleTimeoutMs } from './jt808/idleTimeout.ts';
import type { TerminalSession } from './terminalSession.ts';

export interface TerminalFacts {
  readonly heartbeatSeconds?: number;
  readonly channels?: ReportedChannels;
  readonly av?: AvAttributes;
  readonly attributes?: TerminalAttributes;
}

const WANTED = [Parameter.heartbeatSeconds.id, Parameter.channelTable.id];

/**
 * Asks for parameters, codecs and attributes, one after the other, and tells each answer as it comes. A question that
 * the terminal does not answer or does not know leaves its facts out; it never fails.
 */
export async function learnTerminal(session: TerminalSession, tell: (facts: TerminalFacts) => void): Promise<void> {
  const items = await askParameters(session);
  const heartbeatSeconds = parameterValue(items, 'heartbeatSeconds', session.edition);
  if (heartbeatSeconds !== undefined) tell({ heartbeatSeconds });
  session.setIdleTimeout(idleTimeoutMs(heartbeatSeconds));

  const av = await session.query({ kind: 'queryAvAttributes' }, 'avAttributes');
  if (av.ok) tell({ av: av.answer });
  const table = parameterValue(items, 'channelTable', session.edition);
  const channels = reportedChannels(table, av.ok ? av.answer : undefined, session);
  if (channels !== undefined) tell({ channels });

  const attributes = await session.query({ kind: 'queryAttributes' }, 'attributesReply');
  if (attributes.ok) tell({ attributes: attributes.answer });
}

/** Terminals of the older edition may not know the question for some parameters; all of them is what they know. */
async function askParameters(session: TerminalSession): Promise<readonly ParameterItem[]> {
  const some = await session.query({ kind: 'querySomeParameters', ids: WANTED }, 'parametersReply');
  if (some.ok) return some.answer.items;
  if (some.reason !== 'refused') return [];
  const all = await session.query({ kind: 'queryParameters' }, 'parametersReply');
  return all.ok ? all.answer.items : [];
}
