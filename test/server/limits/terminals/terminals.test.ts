import { describeLimits } from '../describeLimits.ts';
import { terminalConnectionCases } from './terminalConnections.ts';
import { terminalMessageCases } from './terminalMessages.ts';
import { terminalReportCases } from './terminalReports.ts';
import { terminalSignInCases } from './terminalSignIn.ts';

describeLimits('Terminals', [
  ...terminalConnectionCases,
  ...terminalSignInCases,
  ...terminalMessageCases,
  ...terminalReportCases,
]);
