import { describeLimits } from './describeLimits.ts';
import { eventCases } from './eventCases.ts';
import { eventConfigCases } from './eventConfigCases.ts';
import { eventTypeCases } from './eventTypeCases.ts';
import { evidenceCases } from './evidenceCases.ts';
import { messageCases } from './notify/messageCases.ts';
import { ruleCases } from './ruleCases.ts';

describeLimits('Events', [
  ...eventCases,
  ...eventTypeCases,
  ...eventConfigCases,
  ...evidenceCases,
  ...ruleCases,
  ...messageCases,
]);
