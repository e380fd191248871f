import { describeLimits } from './describeLimits.ts';
import { eventCases } from './eventCases.ts';
import { evidenceCases } from './evidenceCases.ts';

describeLimits('Events', [...eventCases, ...evidenceCases]);
