import { describeLimits } from '../describeLimits.ts';
import { positionCases } from './positionCases.ts';

describeLimits('Positions', positionCases);
