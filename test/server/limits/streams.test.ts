import { describeLimits } from './describeLimits.ts';
import { liveCases } from './liveCases.ts';
import { messageCases } from './messageCases.ts';
import { playbackCases } from './playbackCases.ts';
import { movesShare } from './shareCases.ts';
import { socketCases } from './socketCases.ts';

describeLimits('Streams and live updates', [
  ...socketCases,
  ...messageCases,
  ...liveCases,
  ...playbackCases,
  movesShare,
]);
