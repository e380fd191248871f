import { describeLimits } from './describeLimits.ts';
import { SOCKET_CASES } from './socketCases.ts';
import { viewerCases } from './viewerCases.ts';

describeLimits('Streams and live updates', [...SOCKET_CASES, ...viewerCases]);
