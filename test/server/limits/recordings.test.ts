import { describeLimits } from './describeLimits.ts';
import { exportCases } from './exportCases.ts';
import { recordsCases } from './recordsCases.ts';
import { evidenceShare } from './shareCases.ts';

describeLimits('Recordings and exports', [...exportCases, ...recordsCases, evidenceShare]);
