import { describeLimits } from '../describeLimits.ts';
import { reportCases } from './reportCases.ts';

describeLimits('Reports', reportCases);
