import { describeLimits } from './describeLimits.ts';
import { viewerCases } from './viewerCases.ts';

describeLimits('Streams and live updates', [...viewerCases]);
