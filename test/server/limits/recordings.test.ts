import { describeLimits } from './describeLimits.ts';
import { recordsCases } from './recordsCases.ts';

describeLimits('Recordings and exports', [...recordsCases]);
