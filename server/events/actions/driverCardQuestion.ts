// Asks a terminal for the driver's card as it signs in, where a rule depends on it: terminals report a card when it is inserted, not again.
import type { PresenceReport, Report } from '../../device/reportFeed.ts';
import type { TerminalSession } from '../../device/terminalSession.ts';
import type { EventDevice } from '../engine/trackedEvent.ts';
import type { PreparedRule } from '../rules/rule.ts';

export interface DriverCardQuestionDeps {
  readonly rulesOf: (device: EventDevice) => readonly PreparedRule[];
  readonly sessionOf: (deviceId: string) => Pick<TerminalSession, 'query' | 'archiveNumber'> | undefined;
  /** Passes the answer on like every other report. */
  readonly tell: (report: Report) => void;
  readonly now: () => number;
}

/** Terminals without a reader refuse or don't answer: then it isn't known whether there is a card. */
export async function askDriverCard(
  { device, isOnline }: PresenceReport,
  { rulesOf, sessionOf, tell, now }: DriverCardQuestionDeps,
): Promise<void> {
  if (!isOnline || !rulesOf(device).some(({ code }) => code === 'no-driver-card')) return;
  const session = sessionOf(device.deviceId);
  if (session?.archiveNumber !== device.archiveNumber) return;
  const result = await session.query({ kind: 'queryDriver' }, 'driverIdentity');
  if (result.ok) tell({ kind: 'message', device, body: result.answer, receivedAtMs: now() });
}
