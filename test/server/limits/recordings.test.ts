import { describeLimits } from './describeLimits.ts';
import { exportCases } from './exportCases.ts';
import { recordsCases } from './recordsCases.ts';
import { requestedChannelsCase } from './ruleCases.ts';
import { evidenceShare } from './shareCases.ts';

describeLimits('Recordings and exports', [...exportCases, ...recordsCases, requestedChannelsCase, evidenceShare]);
