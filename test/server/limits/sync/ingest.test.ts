import { describeLimits } from '../describeLimits.ts';
import { ingestCases } from './ingestCases.ts';

describeLimits('What is fetched from devices', ingestCases);
