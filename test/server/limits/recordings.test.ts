import { describeLimits } from './describeLimits.ts';
import { exportCases } from './exportCases.ts';

describeLimits('Recordings and exports', [...exportCases]);
