import { describeLimits } from './describeLimits.ts';
import { eventCases } from './eventCases.ts';
import { eventTypeCases } from './eventTypeCases.ts';

describeLimits('Events', [...eventCases, ...eventTypeCases]);
