import { describeLimits } from '../describeLimits.ts';
import { trackCases } from './trackCases.ts';

describeLimits('Calls of tracks', trackCases);
