import { describeLimits } from './describeLimits.ts';
import { SOCKET_CASES } from './socketCases.ts';

describeLimits('Streams and live updates', [...SOCKET_CASES]);
