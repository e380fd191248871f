import { FTP_CONNECTIONS } from '../../../../server/ftp/ftpLimits.ts';
import { describeLimits } from '../describeLimits.ts';
import { connectionCasesOf } from '../terminals/terminalConnections.ts';
import { ftpSessionCases } from './sessionCases.ts';
import { ftpTransferCases } from './transferCases.ts';

describeLimits('File transfer of terminals', [
  ...connectionCasesOf(FTP_CONNECTIONS),
  ...ftpSessionCases,
  ...ftpTransferCases,
]);
