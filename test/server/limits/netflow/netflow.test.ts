import { describeLimits } from '../describeLimits.ts';
import { netflowCases } from './netflowCases.ts';

describeLimits('Data usage', netflowCases);
