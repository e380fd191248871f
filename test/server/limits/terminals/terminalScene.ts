// A terminal on a connection of its own, as cases of limits need it.

import { RegistrationResult } from '../../../../server/device/jt808/codec/codes.ts';
import { PackageBytes } from '../../../../server/device/jt808/inbox.ts';
import { SignallingSession } from '../../../../server/device/jt808/signallingSession.ts';
import type { TerminalAuthenticator } from '../../../../server/device/jt808/terminalAuthenticator.ts';
import { WaitingBytes } from '../../../../server/device/jt808/waitingBytes.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { aSignedInDevice } from '../../../support/aDevice.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { FakeTerminal } from '../../../unit/server/device/jt808/fakeTerminal.ts';

export const failNever = (error: Error): never => {
  throw error;
};

/** Knows every code and no registration. */
const KNOWS_CODES: TerminalAuthenticator = {
  register: async () => ({ result: RegistrationResult.NoSuchTerminal }),
  authenticate: async () => aSignedInDevice(),
};

export function connectTerminal(onLimit: OnLimit, authenticator: Partial<TerminalAuthenticator> = {}) {
  const timers = new ManualTimers();
  const terminal = new FakeTerminal();
  new SignallingSession(terminal.socket.asSocket(), {
    authenticator: { ...KNOWS_CODES, ...authenticator },
    now: timers.now,
    runAfter: timers.runAfter,
    acknowledgedIds: new Set(),
    waiting: new WaitingBytes(onLimit),
    packageBytes: new PackageBytes(),
    onReport: () => true,
    onSignedIn: () => undefined,
    onEnded: () => undefined,
    onFault: failNever,
    onLimit,
  });
  return { terminal, timers };
}
