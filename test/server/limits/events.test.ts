import { describeLimits } from './describeLimits.ts';
import { eventCases } from './eventCases.ts';

describeLimits('Events', eventCases);
