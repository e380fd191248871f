import { describeLimits } from './describeLimits.ts';
import { mediaCases } from './mediaCases.ts';

describeLimits('Media from terminals', mediaCases);
