import { describeLimits } from './describeLimits.ts';
import { terminalCases } from './terminalCases.ts';

describeLimits('Terminals', [...terminalCases]);
